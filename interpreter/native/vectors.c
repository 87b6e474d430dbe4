/* Vectors of what a seat sees, filled from the numbers that `rs_export` writes, by a plan for each seat.
 *
 * A plan is one node for each slot, in the order of the numbers; a node says what the next value looks like and which entries it fills.  It is
 * a row of 32-bit numbers: which kind of node, how many numbers it has with those inside it, and what the kind needs.  Entries inside a list are
 * counted from where the item begins.  -1 stands for no entry. */
#include "vectors.h"

/* NUMBER how entry flag note; LIST size count how entry part listed first stride node; EACH parts node...; SOME flag node;
 * PICK; EVENT; ONLY_IF note node; PASS numbers;
 * HIDDEN size entry part known first top; PLACE note places place...; SHOWN known first node.  EACH is preceded by how many there are if
 * `counted`. */
enum { NUMBER, LIST, EACH, SOME, PICK, EVENT, ONLY_IF, PASS, HIDDEN, PLACE, SHOWN };
enum { UNTOLD, VALUE, TRUTH, MEMBER };        /* of a number */
enum { UNCOUNTED, ITEMS, SUM };               /* how large a list is */
enum { NOTHING, THERE, HEIGHT, TALLY, AMOUNT }; /* of a list */

typedef struct {
  float *out; /* NULL while nothing is filled */
  int64_t width;
  uint8_t *notes;
  const int64_t *known; /* of each piece that may be hidden the seats that know it, as bits */
  int32_t seat, everybody; /* the last is the bit that says that all learned something at once */
} Filling;

static inline void put(const Filling *f, int64_t at, double value) {
  if (f->out && at >= 0 && at < f->width)
    f->out[at] = (float)value;
}

static const int64_t *follow(const Filling *f, const int32_t *node, const int64_t *n, int64_t base);

/* A list: its size, what its items are, and each of the first few. */
static const int64_t *follow_list(const Filling *f, const int32_t *node, const int64_t *n, int64_t base) {
  const int32_t size = node[2], count = node[3], how = node[4], part = node[6], listed = node[7], *item = node + 10;
  const int64_t items = *n++, at = base + node[5];
  bool plain = item[0] == PASS && item[2] == 1;
  double sum = 0;
  for (int64_t k = 0; k < items; k++) {
    if (f->out && (how != NOTHING || count == SUM)) {
      int64_t x = *n;
      if (how == AMOUNT)
        put(f, at + k, (double)x);
      else if (how == TALLY && x >= 0 && at + x < f->width)
        f->out[at + x] += 1;
      else if (how == THERE || how == HEIGHT)
        put(f, at + x, how == THERE ? 1 : (double)(k + 1) / part);
      sum += (double)x;
    }
    if (plain && k >= listed) {
      n++;
      continue;
    }
    Filling hidden = {.notes = f->notes};
    n = follow(k < listed ? f : &hidden, item, n, base + node[8] + k * node[9]);
  }
  if (count != UNCOUNTED && size >= 0)
    put(f, base + size, count == SUM ? sum : (double)items);
  return n;
}

/* Pieces that lie hidden: how many, which of them are known by a look, and the top of a pile whose top is seen. */
static const int64_t *follow_hidden(const Filling *f, const int32_t *node, const int64_t *n, int64_t base) {
  const int32_t part = node[4];
  const int64_t items = *n++;
  for (int64_t k = 0; f->out && k < items; k++) {
    int64_t seats = f->known[node[6] + n[k]];
    bool known = seats >> f->seat & 1;
    if (node[3] >= 0 && (known || (node[7] && k == items - 1)))
      put(f, base + node[3] + n[k], part ? (double)(k + 1) / part : 1);
    if (node[5] >= 0 && known)
      put(f, base + node[5] + n[k], seats >> f->everybody & 1 ? 1 : 0.5);
  }
  if (node[2] >= 0)
    put(f, base + node[2], (double)items);
  return n + items;
}

/* Reads one value and fills its entries; where the next one begins. */
static const int64_t *follow(const Filling *f, const int32_t *node, const int64_t *n, int64_t base) {
  switch (node[0]) {
  case NUMBER: {
    int64_t x = *n++;
    if (node[5] >= 0)
      f->notes[node[5]] = x != 0 && x != RS_NONE;
    if (x == RS_NONE)
      return n;
    if (node[4] >= 0)
      put(f, base + node[4], 1);
    if (node[2] == MEMBER)
      put(f, base + node[3] + x, 1);
    else if (node[2] != UNTOLD)
      put(f, base + node[3], node[2] == TRUTH ? x != 0 : (double)x);
    return n;
  }
  case LIST:
    return follow_list(f, node, n, base);
  case EACH: {
    int64_t parts = node[2] ? *n++ : node[3];
    const int32_t *part = node + 4;
    for (int64_t k = 0; k < parts && part < node + node[1]; k++, part += part[1])
      n = follow(f, part, n, base);
    return n;
  }
  case SOME:
    if (!*n++)
      return n;
    if (node[2] >= 0)
      put(f, base + node[2], 1);
    return follow(f, node + 3, n, base);
  case PICK: /* rule, how many arguments (-1: one answer), these */
    return n + 2 + (n[1] < 0 ? 1 : n[1]);
  case EVENT: /* rule, how many arguments, these */
    return n + 2 + n[1];
  case PASS:
    return n + node[2];
  case HIDDEN:
    return follow_hidden(f, node, n, base);
  case PLACE: { /* whether a piece is out of the game, or in a place where the seat sees it */
    int64_t at = *n++;
    bool seen = at < 0;
    for (int32_t k = 0; k < node[3] && !seen; k++)
      seen = node[4 + k] == at;
    f->notes[node[2]] = seen;
    return n;
  }
  case SHOWN: /* pieces that the seat sees and not all do */
    for (int64_t k = 0; f->out && k < *n; k++)
      if (f->known[node[3] + n[1 + k]] >> f->everybody & 1)
        put(f, base + node[2] + n[1 + k], 1);
    return follow(f, node + 4, n, base);
  default: { /* ONLY_IF */
    Filling hidden = {.notes = f->notes};
    return follow(f->notes[node[2]] ? f : &hidden, node + 3, n, base);
  }
  }
}

/* What a seat sees of a position at which it is asked, into `out`.  `numbers` has room for a whole position and for the notes behind it, `seats`
 * for all seats.  Whether C can tell. */
bool fill_vector(const Vectors *v, Program *p, RsState *s, int32_t seat, int64_t *numbers, int32_t *seats, float *out) {
  memset(out, 0, sizeof *out * (size_t)v->width);
  if (seat < 0 || seat >= p->players || p->export(s, numbers, p->most_numbers) < 0)
    return false;
  Filling f = {out, v->width, (uint8_t *)(numbers + p->most_numbers), NULL, seat, p->players > 1 ? p->players : 0};
  put(&f, v->you + seat, 1);
  int32_t count = p->pending(s, seats);
  for (int32_t k = 0; k < count; k++)
    put(&f, v->acting + seats[k], 1);
  count = p->sealed(s, seats); /* nobody learns who of the others has answered */
  for (int32_t k = 0; k < count; k++)
    if (seats[k] != seat)
      put(&f, v->acting + seats[k], 1);
  int32_t point = p->point(s, seat);
  if (point < 0 || point >= v->points)
    return false;
  put(&f, v->asked[point], 1);
  const int32_t *plan = v->plans[seat];
  if (v->looks) {
    Filling none = {.notes = f.notes};
    f.known = follow(&none, plan, numbers + 3, 0); /* it stands behind the slots */
  }
  follow(&f, plan, numbers + 3, 0); /* behind whether chance is seeded, the seed and how far it is */
  return true;
}

/* Whether a node and all inside it keep to their bounds; the length of the node, 0 if they do not. */
static int32_t sound(const int32_t *node, int64_t room, const Vectors *v, int depth) {
  static const int8_t least[] = {6, 10, 4, 3, 2, 2, 3, 3, 8, 4, 4};
  if (room < 2 || node[0] < NUMBER || node[0] > SHOWN || depth > 64 || node[1] < least[node[0]] || node[1] > room)
    return 0;
  bool one = node[0] == LIST || node[0] == SOME || node[0] == ONLY_IF || node[0] == SHOWN;
  int32_t at = least[node[0]], inside = one ? 1 : node[0] == EACH ? node[3] : 0;
  if ((node[0] == PASS && node[2] < 0) || (node[0] == NUMBER && node[5] >= v->notes) || (node[0] == HIDDEN && (node[6] < 0 || !v->looks)) ||
      (node[0] == SHOWN && (node[2] < 0 || node[3] < 0 || !v->looks)) ||
      ((node[0] == ONLY_IF || node[0] == PLACE) && (node[2] < 0 || node[2] >= v->notes)) ||
      (node[0] == PLACE && (node[3] < 0 || node[3] > node[1] - at)))
    return 0;
  if (node[0] == PLACE)
    at += node[3];
  for (; inside > 0; inside--) {
    int32_t length = sound(node + at, node[1] - at, v, depth + 1);
    if (!length)
      return 0;
    at += length;
  }
  return at == node[1] ? at : 0;
}

void free_vectors(Vectors *v) {
  if (!v)
    return;
  while (v->holds)
    PyBuffer_Release(&v->held[--v->holds]);
  PyMem_Free(v->held);
  PyMem_Free(v->plans);
  PyMem_Free(v);
}

/* (width, you, acting, notes, looks, asked, (plan of each seat, ...)): buffers of 32-bit numbers.  NULL with an exception. */
Vectors *make_vectors(PyObject *data, int32_t players) {
  long long width;
  PyObject *asked, *plans;
  Vectors *v = PyMem_Calloc(1, sizeof *v);
  if (!v)
    return (Vectors *)PyErr_NoMemory();
  if (!PyArg_ParseTuple(data, "LiiipOO!", &width, &v->you, &v->acting, &v->notes, &v->looks, &asked, &PyTuple_Type, &plans))
    goto fail;
  v->width = width;
  v->held = PyMem_Calloc((size_t)players + 1, sizeof *v->held);
  v->plans = PyMem_Calloc((size_t)players, sizeof *v->plans);
  if (!v->held || !v->plans) {
    PyErr_NoMemory();
    goto fail;
  }
  if (width < 1 || width > INT32_MAX || v->notes < 0 || PyTuple_Size(plans) != players) {
    PyErr_SetString(PyExc_ValueError, "there is a plan for each seat, and at least one entry");
    goto fail;
  }
  for (int32_t k = 0; k <= players; k++) {
    Py_buffer *held = &v->held[k];
    if (PyObject_GetBuffer(k ? PyTuple_GetItem(plans, k - 1) : asked, held, PyBUF_SIMPLE))
      goto fail;
    v->holds++;
    int64_t count = held->len / 4;
    if (k && (held->len % 4 || sound(held->buf, count, v, 0) != count)) {
      PyErr_SetString(PyExc_ValueError, "a plan does not hold together");
      goto fail;
    }
    if (k)
      v->plans[k - 1] = held->buf;
    else {
      v->asked = held->buf;
      v->points = (int32_t)count;
    }
  }
  return v;
fail:
  free_vectors(v);
  return NULL;
}
