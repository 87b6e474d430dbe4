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

/* The number of an action, as Python has it; NULL with an exception. */
static inline PyObject *number_of(Program *p, int32_t action) {
  if (action < NUMBERS)
    return Py_NewRef(p->numbers[action]);
  if (!p->others || action >= p->most_actions)
    return PyLong_FromLong(action);
  PyObject **place = &p->others[action - NUMBERS];
  if (!*place)
    *place = PyLong_FromLong(action);
  return Py_XNewRef(*place);
}

/* Actions, which ascend, as a list. */
PyObject *list_of(Program *p, const int32_t *actions, int32_t count) {
  PyObject *aside[KEPT_LENGTHS], *list = list_to_fill(p, count), **items = opened(list, count, actions[count - 1], aside);
  if (items) {
    for (int32_t k = 0; k < count; k++)
      items[k] = Py_NewRef(p->numbers[actions[k]]);
    return closed(list, count, aside);
  }
  if (list && laid_out && count >= KEPT_LENGTHS) { /* it is new: nothing lies there yet */
    items = ((Listing *)list)->items;
    for (int32_t k = 0; list && k < count; k++)
      if (!(items[k] = number_of(p, actions[k])))
        Py_CLEAR(list);
    return list;
  }
  for (int32_t k = 0; list && k < count; k++) {
    PyObject *number = number_of(p, actions[k]);
    if (!number || PyList_SetItem(list, k, number))
      Py_CLEAR(list);
  }
  return list;
}

/* --- lists of sets ------------------------------------------------------------------------------------------------------ */

/* The actions of a set as a list, by the limited interface. */
static PyObject *plain_list(Program *p, const uint64_t *mask, int32_t count) {
  PyObject *list = PyList_New(count);
  int32_t k = 0;
  for (int word = 0; list && word < 2; word++)
    for (uint64_t left = mask[word]; list && left; left &= left - 1, k++)
      if (PyList_SetItem(list, k, Py_NewRef(p->numbers[64 * word + __builtin_ctzll(left)])))
        Py_CLEAR(list);
  return list;
}

/* Whether a list that was given away came back as it was, and so many items may be written into it. */
static inline bool came_back(const KeptSet *kept, int32_t count) {
  const Listing *list = (const Listing *)kept->list;
  if (!list || Py_REFCNT(kept->list) != 1 || Py_SIZE(list) != kept->count || list->allocated < kept->room || kept->room < ROOM(count))
    return false;
  for (int32_t k = 0; k < kept->count; k += GROUP) {
    uintptr_t differ = 0;
#pragma GCC unroll 8
    for (int32_t j = k; j < k + GROUP; j++)
      differ |= (uintptr_t)list->items[j] ^ (uintptr_t)kept->items[j];
    if (differ)
      return false;
  }
  return true;
}

/* Counts a reference more, or less, to each number that is not in a set. */
static void count_others(Program *p, const uint64_t *mask, bool more) {
  for (int word = 0; word < 2; word++) {
    for (uint64_t left = ~mask[word]; left; left &= left - 1) {
      PyObject *number = p->numbers[64 * word + __builtin_ctzll(left)];
      if (more)
        Py_INCREF(number);
      else
        Py_DECREF(number);
    }
  }
}

/* Writes the numbers of a word of a set, a group at once even where there are fewer: nobody can foretell where a loop would end. */
static inline void write_word(PyObject **numbers, uint64_t left, PyObject **items, PyObject **copy) {
  for (; left; items += GROUP, copy += GROUP) {
#pragma GCC unroll 8
    for (int32_t j = 0; j < GROUP; j++, left &= left - 1)
      items[j] = copy[j] = numbers[__builtin_ctzll(left | (uint64_t)1 << 63)];
  }
}

/* The kept list becomes that of a set; references are not counted. */
static inline void write_set(Program *p, KeptSet *kept, const uint64_t *mask, int32_t count) {
  Listing *list = (Listing *)kept->list;
  write_word(p->numbers, mask[0], list->items, kept->items);
  if (mask[1]) {
    int32_t behind = __builtin_popcountll(mask[0]);
    write_word(p->numbers + 64, mask[1], list->items + behind, kept->items + behind);
  }
  list->head.ob_size = kept->count = count;
  memcpy(kept->mask, mask, sizeof kept->mask);
}

/* A new list of a set, which is kept instead of another. */
static PyObject *new_list_of_mask(Program *p, KeptSet *kept, const uint64_t *mask, int32_t count) {
  PyObject *list = PyList_New(ROOM(count));
  if (!list)
    return NULL;
  if (kept->aside)
    count_others(p, kept->mask, false);
  PyObject *old = kept->list;
  kept->aside = false;
  kept->list = list;
  kept->room = ROOM(count);
  memset(kept->items, 0, sizeof kept->items); /* as those of a new list */
  write_set(p, kept, mask, count);
  for (int32_t k = 0; k < count; k++)
    Py_INCREF(kept->items[k]);
  Py_INCREF(list);
  Py_XDECREF(old); /* who had it could put anything there, which may run code of his when it goes */
  return list;
}

/* The actions of a set as a list.  When one comes back untouched, the numbers that are not in it are counted, too: from then on it has a
 * reference to each number below 128, whichever of them are in it, and nothing is counted when others are written. */
PyObject *list_of_mask(Program *p, const uint64_t *mask, int32_t count) {
  if (!laid_out)
    return plain_list(p, mask, count);
  KeptSet *kept = &p->sets[p->next_set ^= 1];
  if (!came_back(kept, count))
    return new_list_of_mask(p, kept, mask, count);
  if (!kept->aside)
    count_others(p, kept->mask, true);
  kept->aside = true;
  write_set(p, kept, mask, count);
  return Py_NewRef(kept->list);
}

/* Makes the numbers of actions; false with an exception. */
bool fill_lists(Program *p) {
  for (int k = 0; k < NUMBERS; k++)
    if (!(p->numbers[k] = PyLong_FromLong(k)))
      return false;
  if (p->most_actions > NUMBERS && !(p->others = calloc((size_t)(p->most_actions - NUMBERS), sizeof *p->others)))
    PyErr_NoMemory();
  return !PyErr_Occurred();
}

void free_lists(Program *p) {
  for (int k = 0; k < 2; k++) {
    KeptSet *kept = &p->sets[k];
    if (kept->aside)
      count_others(p, kept->mask, false);
    kept->aside = false;
    Py_CLEAR(kept->list);
  }
  for (int k = 0; k < KEPT_LENGTHS; k++) {
    Py_CLEAR(p->kept[k].lists[0]);
    Py_CLEAR(p->kept[k].lists[1]);
  }
  for (int k = 0; k < NUMBERS; k++)
    Py_CLEAR(p->numbers[k]);
  for (int32_t k = 0; p->others && k < p->most_actions - NUMBERS; k++)
    Py_CLEAR(p->others[k]);
  free(p->others);
  p->others = NULL;
}
