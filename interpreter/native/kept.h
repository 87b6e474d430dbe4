/* Positions as Python objects, and what is kept of them: see `kept.c`. */
#ifndef RULESPEC_KEPT_H
#define RULESPEC_KEPT_H
#include "block.h"

/* An answer that was given, shared by all positions that came after it; newest first. */
typedef struct Answer {
  int64_t references;
  struct Answer *before;
  void *position; /* the position before, packed, where it can be taken back */
  int64_t decisions;
  int32_t seat, action;
} Answer;

typedef struct Core {
  PyObject_HEAD
  Program *program;
  PyObject *setup;    /* the game, as Python has it */
  PyObject *origin;   /* where the answers begin: a seed, None for chance as a player, or a position kept as slots */
  RsState *state;     /* NULL while a position kept as slots stands in, because C cannot tell what comes of it, and where it is put away */
  void *packed;       /* the position as it was put away until somebody asks for it (`awake`), else NULL */
  Answer *answers;
  PyObject *stand_in; /* an equal position kept as slots, as it was at the answer `stood`; NULL if there is none yet */
  Answer *stood;
  int64_t decisions;
  uint64_t mask[2];   /* the legal actions of who is asked first, if they are below 128 and `count` is not negative, else 0 */
  int32_t *actions;   /* and as a list where the mask is 0 */
  int32_t room, count, player;
  bool keeps, records;
} Core;

static inline Answer *keep_answer(Answer *a) {
  if (a)
    a->references++;
  return a;
}

void drop_answer(Answer *a);
bool add_answer(Core *c, int32_t seat, int32_t action);
void put_away(Core *c);
bool wake(Core *c);

/* Whether the block of a position is there again, if it was put away; false with an exception. */
static inline bool awake(Core *c) { return !c->packed || wake(c); }

#endif
