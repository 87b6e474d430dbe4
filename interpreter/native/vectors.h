/* Vectors of what a seat sees, filled from the numbers of a position. */
#ifndef RULESPEC_VECTORS_H
#define RULESPEC_VECTORS_H
#include "block.h"

/* How the vectors of one setup are filled, as `interpreter/spaces/compiled.py` works it out. */
typedef struct {
  int64_t width;         /* entries of a vector */
  int32_t you, acting;   /* the first entries of those that say whose view it is, and who is asked */
  int32_t notes;         /* numbers that later ones depend on */
  int looks;             /* whether some are known by a look */
  int32_t points;        /* numbers of `asked` */
  const int32_t *asked;  /* of each point the entry of its question, -1 for none */
  const int32_t **plans; /* of each seat */
  Py_buffer *held;       /* where these lie: `asked`, then each plan */
  int32_t holds;
} Vectors;

Vectors *make_vectors(PyObject *data, int32_t players);
void free_vectors(Vectors *v);
bool fill_vector(const Vectors *v, Program *p, RsState *s, int32_t seat, int64_t *numbers, int32_t *seats, float *out);

#endif
