/* Legal actions as lists of Python.  Who asks gets a list that is his own; making one takes as long as an answer, so lists that come again are
 * kept.  See `module.c`. */
#include "actions.h"

#define NEAR 4     /* so many actions may come or go for a list to be made of the last one */
#define BLOCK 4    /* actions that are compared at once */
#define LENGTHY 16 /* and so many there are at least */

PyObject *list_of(const int32_t *actions, int32_t count) {
  PyObject *list = PyList_New(count);
  for (int32_t k = 0; list && k < count; k++) {
    PyObject *action = PyLong_FromLong(actions[k]);
    if (!action || PyList_SetItem(list, k, action))
      Py_CLEAR(list);
  }
  return list;
}

/* Whether a list that was given away and came back still holds the actions of a set. */
static bool intact(const Program *p, PyObject *list, uint64_t mask, int32_t count) {
  if (PyList_Size(list) != count)
    return false;
  for (int32_t k = 0; k < count; k++, mask &= mask - 1)
    if (PyList_GetItem(list, k) != p->numbers[__builtin_ctzll(mask)])
      return false;
  return true;
}

/* The actions of a set.  The list of one that has come before is kept: it is given away as long as nobody else has it, and copied while
 * somebody does. */
PyObject *list_of_mask(Program *p, uint64_t mask, int32_t count) {
  KnownList *known = &p->known[mask * 0x9E3779B97F4A7C15u >> 32 & (KNOWN_LISTS - 1)];
  if (known->mask == mask && known->list) {
    bool ours = Py_REFCNT(known->list) == 1;
    if (intact(p, known->list, mask, count))
      return ours ? Py_NewRef(known->list) : PyList_GetSlice(known->list, 0, count);
  }
  PyObject *list = PyList_New(count);
  uint64_t left = mask;
  for (int32_t k = 0; list && k < count; k++, left &= left - 1)
    if (PyList_SetItem(list, k, Py_NewRef(p->numbers[__builtin_ctzll(left)])))
      Py_CLEAR(list);
  if (known->mask == mask && list) { /* the second time, or what was kept has been changed by who has it */
    PyObject *old = known->list;
    known->list = Py_NewRef(list);
    Py_XDECREF(old);
  } else if (known->mask != mask) {
    known->mask = mask;
    Py_CLEAR(known->list);
  }
  return list;
}

/* Actions as a list that is made of the last one where few have come or gone, as on a large board that fills. */
PyObject *list_like_the_last(Program *p, const int32_t *actions, int32_t count) {
  int32_t least = count < p->lasts ? count : p->lasts, same = 0, end = 0;
  const int32_t *last = p->last_actions;
  while (same + BLOCK <= least && !memcmp(last + same, actions + same, BLOCK * sizeof *last))
    same += BLOCK;
  while (same < least && last[same] == actions[same])
    same++;
  while (end + BLOCK <= least - same && !memcmp(last + p->lasts - end - BLOCK, actions + count - end - BLOCK, BLOCK * sizeof *last))
    end += BLOCK;
  while (end < least - same && last[p->lasts - 1 - end] == actions[count - 1 - end])
    end++;
  int32_t gone = p->lasts - same - end, come = count - same - end;
  PyObject *list = NULL;
  if (least >= LENGTHY && gone + come <= NEAR) {
    PyObject *more = come ? list_of(actions + same, come) : NULL;
    if (!p->last_list)
      p->last_list = list_of(actions, count);
    else if ((gone || come) && ((come && !more) || PyList_SetSlice(p->last_list, same, same + gone, more)))
      Py_CLEAR(p->last_list);
    Py_XDECREF(more);
    if (p->last_list)
      list = PyList_GetSlice(p->last_list, 0, count);
  } else {
    Py_CLEAR(p->last_list);
    list = list_of(actions, count);
  }
  p->lasts = list ? count : 0;
  memcpy(p->last_actions, actions, sizeof(int32_t) * (size_t)p->lasts);
  return list;
}

/* Makes room for the above; false with an exception. */
bool fill_lists(Program *p) {
  p->last_actions = malloc(sizeof(int32_t) * (size_t)p->most_actions);
  for (int32_t k = 0; p->last_actions && k < 64; k++)
    if (!(p->numbers[k] = PyLong_FromLong(k)))
      return false;
  return p->last_actions || PyErr_NoMemory();
}

void free_lists(Program *p) {
  for (int k = 0; k < KNOWN_LISTS; k++)
    Py_CLEAR(p->known[k].list);
  for (int k = 0; k < 64; k++)
    Py_CLEAR(p->numbers[k]);
  Py_CLEAR(p->last_list);
  free(p->last_actions);
}
