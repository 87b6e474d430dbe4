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

/* A list of the actions of a set. */
static PyObject *listed(const Program *p, const uint64_t *mask, int32_t count) {
  PyObject *list = PyList_New(count);
  int32_t k = 0;
  for (int word = 0; list && word < 2; word++)
    for (uint64_t left = mask[word]; list && left; left &= left - 1, k++)
      if (PyList_SetItem(list, k, Py_NewRef(p->numbers[64 * word + __builtin_ctzll(left)])))
        Py_CLEAR(list);
  return list;
}

/* Few actions below 64.  The list of a set that has come before is kept: it is given away as long as nobody else has it, and copied
 * while somebody does. */
static PyObject *list_of_few(Program *p, uint64_t mask, int32_t count) {
  KnownList *known = &p->known[mask * 0x9E3779B97F4A7C15u >> 32 & (KNOWN_LISTS - 1)];
  if (known->mask == mask && known->list) {
    bool ours = Py_REFCNT(known->list) == 1;
    if (intact(p, known->list, mask, count))
      return ours ? Py_NewRef(known->list) : PyList_GetSlice(known->list, 0, count);
  }
  const uint64_t words[2] = {mask, 0};
  PyObject *list = listed(p, words, count);
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

/* Brings the list of the last set to another set; false with an exception. */
static bool change_last_set(Program *p, const uint64_t *mask) {
  Py_ssize_t below = 0; /* actions in the words before */
  for (int word = 0; word < 2; word++) {
    for (uint64_t left = mask[word] ^ p->last_mask[word]; left; left &= left - 1) {
      int bit = __builtin_ctzll(left);
      Py_ssize_t place = below + __builtin_popcountll(mask[word] & (((uint64_t)1 << bit) - 1)); /* those below are changed already */
      bool come = mask[word] >> bit & 1;
      PyObject *action = p->numbers[64 * word + bit];
      if (come ? PyList_Insert(p->last_set, place, action) : PyList_SetSlice(p->last_set, place, place + 1, NULL))
        return false;
    }
    below += __builtin_popcountll(mask[word]);
  }
  return true;
}

/* The actions of a set as a list; where few have come or gone since the last one, as on a large board that fills, it is made of that. */
PyObject *list_of_mask(Program *p, const uint64_t *mask, int32_t count) {
  if (!mask[1] && count < LENGTHY)
    return list_of_few(p, *mask, count);
  int changes = __builtin_popcountll(mask[0] ^ p->last_mask[0]) + __builtin_popcountll(mask[1] ^ p->last_mask[1]);
  if (changes > NEAR || (p->last_set && !change_last_set(p, mask)))
    Py_CLEAR(p->last_set);
  else if (!p->last_set)
    p->last_set = listed(p, mask, count);
  memcpy(p->last_mask, mask, sizeof p->last_mask);
  if (PyErr_Occurred())
    return NULL;
  return p->last_set ? PyList_GetSlice(p->last_set, 0, count) : listed(p, mask, count);
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
  for (int32_t k = 0; p->last_actions && k < 128; k++)
    if (!(p->numbers[k] = PyLong_FromLong(k)))
      return false;
  return p->last_actions || PyErr_NoMemory();
}

void free_lists(Program *p) {
  for (int k = 0; k < KNOWN_LISTS; k++)
    Py_CLEAR(p->known[k].list);
  for (int k = 0; k < 128; k++)
    Py_CLEAR(p->numbers[k]);
  Py_CLEAR(p->last_set);
  Py_CLEAR(p->last_list);
  free(p->last_actions);
}
