/* Legal actions as lists of Python.  Who asks gets a list that is his own; making one, and dropping it, takes as long as an answer, so lists
 * that nobody has any more are filled anew.  See `module.c`. */
#include "actions.h"

#ifndef LAST_LAYOUT
#define LAST_LAYOUT 0x030E /* the last version of Python whose lists are known to be such as `Listing` */
#endif

/* A list as Python has it.  The limited interface sets its items by calls, one by one, which takes twice as long. */
typedef struct {
  PyVarObject head;
  PyObject **items;
  Py_ssize_t allocated;
} Listing;

static bool laid_out; /* whether lists are such here */

/* Looks whether they are; false with an exception. */
bool look_at_lists(void) {
  PyObject *bytes = PyObject_GetAttrString((PyObject *)&PyList_Type, "__basicsize__"), *list = PyList_New(2);
  bool done = bytes && list && PyList_SetItem(list, 0, Py_NewRef(Py_None)) == 0 && PyList_SetItem(list, 1, Py_NewRef(Py_True)) == 0;
  if (done && Py_Version >> 16 <= LAST_LAYOUT && PyLong_AsSize_t(bytes) == sizeof(Listing)) {
    Listing *l = (Listing *)list;
    laid_out = Py_SIZE(list) == 2 && l->allocated >= 2 && l->items[0] == Py_None && l->items[1] == Py_True;
  }
  Py_XDECREF(bytes);
  Py_XDECREF(list);
  return done;
}

/* A list of so many items, all of which are to be set: one that was given away and that nobody else has by now, or a new one. */
static PyObject *list_to_fill(Program *p, int32_t count) {
  if (count >= KEPT_LENGTHS)
    return PyList_New(count);
  KeptLists *kept = &p->kept[count];
  for (int k = 0; k < 2; k++) {
    PyObject *list = kept->lists[k];
    if (list && Py_REFCNT(list) == 1 && Py_SIZE(list) == count)
      return Py_NewRef(list);
  }
  PyObject *list = PyList_New(count), *old = kept->lists[kept->next];
  kept->lists[kept->next] = Py_XNewRef(list);
  kept->next ^= 1;
  Py_XDECREF(old);
  return list;
}

/* Where the items of a list that is to be filled lie, as far as that is known; what lies there is put aside. */
static inline PyObject **opened(PyObject *list, int32_t count, int32_t last, PyObject **aside) {
  if (!list || !laid_out || count >= KEPT_LENGTHS || last >= NUMBERS)
    return NULL;
  PyObject **items = ((Listing *)list)->items;
  memcpy(aside, items, sizeof *aside * (size_t)count);
  return items;
}

/* Drops what was put aside, now that the list is whole: who had it could put anything there, which may run code of his when it goes. */
static inline PyObject *closed(PyObject *list, int32_t count, PyObject **aside) {
  for (int32_t k = 0; k < count; k++)
    Py_XDECREF(aside[k]);
  return list;
}

/* Actions, which ascend, as a list. */
PyObject *list_of(Program *p, const int32_t *actions, int32_t count) {
  PyObject *aside[KEPT_LENGTHS], *list = list_to_fill(p, count), **items = opened(list, count, actions[count - 1], aside);
  if (items) {
    for (int32_t k = 0; k < count; k++)
      items[k] = Py_NewRef(p->numbers[actions[k]]);
    return closed(list, count, aside);
  }
  for (int32_t k = 0; list && k < count; k++) {
    PyObject *number = PyLong_FromLong(actions[k]);
    if (!number || PyList_SetItem(list, k, number))
      Py_CLEAR(list);
  }
  return list;
}

/* The actions of a set as a list. */
PyObject *list_of_mask(Program *p, const uint64_t *mask, int32_t count) {
  PyObject *aside[KEPT_LENGTHS], *list = list_to_fill(p, count), **items = opened(list, count, 127, aside);
  int32_t k = 0;
  for (int word = 0; list && word < 2; word++) {
    for (uint64_t left = mask[word]; list && left; left &= left - 1, k++) {
      PyObject *number = Py_NewRef(p->numbers[64 * word + __builtin_ctzll(left)]);
      if (items)
        items[k] = number;
      else if (PyList_SetItem(list, k, number))
        Py_CLEAR(list);
    }
  }
  return items ? closed(list, count, aside) : list;
}

/* Makes the numbers of actions; false with an exception. */
bool fill_lists(Program *p) {
  for (int k = 0; k < NUMBERS; k++)
    if (!(p->numbers[k] = PyLong_FromLong(k)))
      return false;
  return true;
}

void free_lists(Program *p) {
  for (int k = 0; k < KEPT_LENGTHS; k++) {
    Py_CLEAR(p->kept[k].lists[0]);
    Py_CLEAR(p->kept[k].lists[1]);
  }
  for (int k = 0; k < NUMBERS; k++)
    Py_CLEAR(p->numbers[k]);
}
