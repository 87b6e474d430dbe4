/* Blocks: the memory of a position that C keeps, taken from and given back to its program. */
#include "block.h"

enum { LINES = 128 };

/* Memory in cache lines of its own, in pairs as processors fetch them, to be given to `free`; NULL where there is none.  What two threads
 * write side by side in one line costs each a third of its speed. */
void *own_lines(size_t bytes) {
  void *memory = NULL;
  return posix_memalign(&memory, LINES, (bytes + LINES - 1) & ~(size_t)(LINES - 1)) ? NULL : memory;
}

/* A block of new memory; NULL with an exception. */
RsState *more_block(Program *p) {
  RsState *block = own_lines((size_t)p->size);
  if (!block)
    PyErr_NoMemory();
  return block;
}

/* Whether all that is asked on a block can be answered, as a position has to know that can be taken back. */
bool answerable(Program *p, RsState *s) {
  int32_t n = p->pending(s, p->seats);
  for (int32_t k = 0; k < n; k++)
    if (p->legal(s, p->seats[k], p->actions, p->most_actions) < 0)
      return false;
  return n >= 0;
}

/* Puts numbers of a position into a block; 1 if they fit, 0 if not, -1 with an exception. */
int import_numbers(Program *p, RsState *s, PyObject *numbers) {
  char *bytes;
  Py_ssize_t length;
  if (PyBytes_AsStringAndSize(numbers, &bytes, &length))
    return -1;
  int64_t *copy = malloc((size_t)length + 8); /* bytes need not be aligned */
  if (!copy) {
    PyErr_NoMemory();
    return -1;
  }
  memcpy(copy, bytes, (size_t)length);
  int fits = length % 8 == 0 && p->import(s, copy, length / 8) == 0;
  free(copy);
  return fits;
}
