/* What is kept: the answers of a game with the positions before them, and positions that were put away. */
#include "kept.h"

void drop_answer(Answer *a) {
  while (a && !--a->references) { /* a loop, as games have more answers than the stack has room */
    Answer *before = a->before;
    free(a->position);
    free(a);
    a = before;
  }
}

/* A position in memory of its own, packed; NULL without memory. */
static void *packed(const Core *c) {
  Program *p = c->program;
  void *memory = malloc((size_t)p->pack(c->state, NULL));
  if (memory)
    p->pack(c->state, memory);
  return memory;
}

/* Adds an answer to those of a position, with the position before it where that is wanted; false without memory. */
bool add_answer(Core *c, int32_t seat, int32_t action) {
  Answer *a = calloc(1, sizeof *a);
  if (a && c->keeps && c->state) {
    a->position = packed(c);
    if (!a->position) {
      free(a);
      a = NULL;
    }
  }
  if (!a) {
    PyErr_NoMemory();
    return false;
  }
  a->references = 1;
  a->before = c->answers; /* its reference goes with it */
  a->decisions = c->decisions;
  a->seat = seat;
  a->action = action;
  c->answers = a;
  return true;
}

/* Puts a position away, if there is memory: whoever keeps it keeps it in as few bytes as it has. */
void put_away(Core *c) {
  if ((c->packed = packed(c))) {
    free_block(c->program, c->state);
    c->state = NULL;
  }
}

bool wake(Core *c) {
  if (!(c->state = new_block(c->program)))
    return false;
  c->program->unpack(c->packed, c->state);
  free(c->packed);
  c->packed = NULL;
  return true;
}
