/* Positions as Python objects.  See `module.c`. */
#include "core.h"
#include "actions.h"

PyObject *word_python, *word_answer, *word_undone;

/* --- one position ------------------------------------------------------------------------------------------------------ */

/* A position that nobody has any more, as a new one; NULL if there is none.  Making one of new memory takes as long as an answer. */
static Core *old_core(PyTypeObject *type, Program *p) {
  if (!p->olds || p->old_type != type)
    return NULL;
  Core *c = p->old[--p->olds];
  PyObject_Init((PyObject *)c, type);
  PyObject_GC_Track(c);
  return c;
}

void free_old(Program *p) {
  while (p->olds) {
    Core *c = p->old[--p->olds];
    free(c->state);
    free(c->actions);
    PyObject_GC_Del(c);
  }
  Py_CLEAR(p->old_type);
}

/* A position with a block that means nothing yet. */
Core *bare_core(PyTypeObject *type, Program *p, PyObject *setup, PyObject *origin, bool keeps, bool records) {
  Core *c = old_core(type, p);
  if (!c && !(c = (Core *)PyType_GenericAlloc(type, 0)))
    return NULL;
  Py_INCREF((PyObject *)p);
  Py_INCREF(setup);
  Py_INCREF(origin);
  c->program = p;
  c->setup = setup;
  c->origin = origin;
  c->decisions = 0;
  c->count = -1;
  c->player = UNKNOWN;
  c->keeps = keeps;
  c->records = records;
  if (!c->state && !(c->state = new_block(p)))
    Py_CLEAR(c);
  return c;
}

static int core_traverse(Core *c, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE((PyObject *)c));
  Py_VISIT(c->setup);
  Py_VISIT(c->origin);
  Py_VISIT(c->stand_in);
  return 0;
}

static int core_clear(Core *c) {
  Py_CLEAR(c->setup);
  Py_CLEAR(c->origin);
  Py_CLEAR(c->stand_in);
  return 0;
}

static void core_free(Core *c) {
  PyTypeObject *type = Py_TYPE((PyObject *)c);
  Program *p = c->program;
  PyObject_GC_UnTrack(c);
  drop_answer(c->answers);
  drop_answer(c->stood);
  core_clear(c);
  free(c->packed);
  c->packed = NULL;
  if (p->fresh == c)
    p->fresh = NULL;
  if (!p->old_type) {
    Py_INCREF(type);
    p->old_type = type;
  }
  if (p->old_type == type && p->olds < SPARE) {
    c->answers = c->stood = NULL;
    p->old[p->olds++] = c;
  } else {
    free_block(p, c->state);
    free(c->actions);
    PyObject_GC_Del(c);
  }
  Py_DECREF((PyObject *)p);
  Py_DECREF(type);
}

static void forget(Core *c) {
  c->count = -1;
  c->player = UNKNOWN;
  if (c->program->fresh == c)
    c->program->fresh = NULL;
}

/* Positions that record nothing cannot bring a stand-in up to date: it is dropped when they change. */
static void outdate(Core *c) {
  forget(c);
  if (!c->keeps && !c->records && c->stand_in) {
    Py_CLEAR(c->stand_in);
    drop_answer(c->stood);
    c->stood = NULL;
  }
}

/* --- asking ------------------------------------------------------------------------------------------------------------------ */

/* Whether what is legal is known as a mask. */
static inline bool masked(const Core *c) {
  return c->mask[0] | c->mask[1];
}

static int32_t who(Core *c) {
  if (c->player == UNKNOWN)
    c->player = c->program->player(c->state);
  return c->player;
}

/* Works out who is asked first and what may be answered, unless it is known; how many actions, negative as in `abi.h`, or RS_ROOM with an
 * exception. */
static int32_t ask(Core *c) {
  if (c->count >= 0)
    return c->count;
  Program *p = c->program;
  int32_t n = p->asked(c->state, &c->player, c->mask, p->actions, p->most_actions);
  if (n < 0) {
    c->player = UNKNOWN;
    return n;
  }
  if (!masked(c)) {
    if (n > c->room) {
      int32_t *larger = realloc(c->actions, sizeof(int32_t) * (size_t)n);
      if (!larger) {
        PyErr_NoMemory();
        return RS_ROOM;
      }
      c->actions = larger;
      c->room = n;
    }
    memcpy(c->actions, p->actions, sizeof(int32_t) * (size_t)n);
  }
  return c->count = n;
}

/* Whether an action is among some that ascend. */
static bool among(const int32_t *actions, int32_t count, int32_t action) {
  int32_t low = 0;
  while (low < count) {
    int32_t middle = low + (count - low) / 2;
    if (actions[middle] == action)
      return true;
    if (actions[middle] < action)
      low = middle + 1;
    else
      count = middle;
  }
  return false;
}

/* What the stand-in answers to a call without arguments, or with one. */
static PyObject *ask_stand_in(Core *c, const char *method, PyObject *argument) {
  PyObject *stand_in = PyObject_CallMethodObjArgs((PyObject *)c, word_python, NULL);
  if (!stand_in)
    return NULL;
  PyObject *result = argument ? PyObject_CallMethod(stand_in, method, "O", argument) : PyObject_CallMethod(stand_in, method, NULL);
  Py_DECREF(stand_in);
  return result;
}

static PyObject *core_current_player(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  int32_t player = c->state ? who(c) : RS_HANDOVER;
  return player == RS_HANDOVER ? ask_stand_in(c, "current_player", NULL) : PyLong_FromLong(player);
}

static PyObject *core_is_terminal(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  int32_t player = c->state ? who(c) : RS_HANDOVER;
  return player == RS_HANDOVER ? ask_stand_in(c, "is_terminal", NULL) : PyBool_FromLong(player == RS_TERMINAL);
}

static PyObject *core_is_chance_node(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  int32_t player = c->state ? who(c) : RS_HANDOVER;
  return player == RS_HANDOVER ? ask_stand_in(c, "is_chance_node", NULL) : PyBool_FromLong(player == RS_CHANCE);
}

static PyObject *core_is_simultaneous(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  int32_t n = c->state ? c->program->sealed(c->state, c->program->seats) : RS_HANDOVER;
  return n < 0 ? ask_stand_in(c, "is_simultaneous", NULL) : PyBool_FromLong(n > 0);
}

static PyObject *core_pending_players(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  int32_t n = c->state ? c->program->pending(c->state, c->program->seats) : RS_HANDOVER;
  if (n < 0)
    return ask_stand_in(c, "pending_players", NULL);
  PyObject *seats = PyTuple_New(n);
  for (int32_t k = 0; seats && k < n; k++) {
    PyObject *seat = PyLong_FromLong(c->program->seats[k]);
    if (!seat || PyTuple_SetItem(seats, k, seat))
      Py_CLEAR(seats);
  }
  return seats;
}

static PyObject *core_returns(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  if (!c->state || c->program->unit != 1)
    return ask_stand_in(c, "returns", NULL);
  int64_t few[16];
  int32_t players = c->program->players;
  int64_t *numbers = players <= 16 ? few : malloc(sizeof(int64_t) * (size_t)players);
  if (!numbers)
    return PyErr_NoMemory();
  c->program->returns(c->state, numbers);
  PyObject *list = PyList_New(players);
  for (int32_t k = 0; list && k < players; k++) {
    PyObject *number = PyLong_FromLongLong(numbers[k]);
    if (!number || PyList_SetItem(list, k, number))
      Py_CLEAR(list);
  }
  if (numbers != few)
    free(numbers);
  return list;
}

/* The one argument `player` of a method, None where it is not given; NULL with an exception. */
static PyObject *player_argument(PyObject *const *args, Py_ssize_t n, PyObject *names, Py_ssize_t first) {
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (n - first + named > 1 || n < first || (named && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "player"))) {
    PyErr_SetString(PyExc_TypeError, "wrong arguments: there is `player`, and nothing else");
    return NULL;
  }
  return n + named > first ? args[first] : Py_None;
}

static PyObject *core_legal_actions(Core *c, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  if (!awake(c))
    return NULL;
  int32_t seat = RS_FIRST;
  PyObject *player = Py_None;
  if (n || names) {
    player = player_argument(args, n, names, 0);
    if (!player)
      return NULL;
    if (player != Py_None) {
      long number = PyLong_AsLong(player);
      if (number == -1 && PyErr_Occurred())
        PyErr_Clear(); /* whatever it is, it names nobody */
      else if (number >= RS_CHANCE && number < c->program->players)
        seat = (int32_t)number;
      else
        number = -1;
      if (seat == RS_FIRST)
        return ask_stand_in(c, "legal_actions", player);
    }
  }
  Program *p = c->program;
  int32_t count = c->state ? ask(c) : RS_HANDOVER;
  bool first = count >= 0 && (seat == RS_FIRST || seat == c->player);
  if (count >= 0 && !first)
    count = p->legal(c->state, seat, p->actions, p->most_actions);
  if (count == RS_HANDOVER)
    return ask_stand_in(c, "legal_actions", player);
  if (count == RS_ROOM)
    return PyErr_Occurred() ? NULL : ask_stand_in(c, "legal_actions", player);
  if (count <= 0)
    return PyList_New(0); /* nobody is asked that */
  if (!first)
    return list_of(p, p->actions, count);
  return masked(c) ? list_of_mask(p, c->mask, count) : list_of(p, c->actions, count);
}

/* --- answering --------------------------------------------------------------------------------------------------------------- */

/* Whether a seat may give an answer, and C can: 1, 0 if Python has to see to it, -1 with an exception.  RS_FIRST becomes the seat that is
 * asked first. */
static int may_answer(Core *c, int32_t action, int32_t *player) {
  if (!c->state)
    return 0;
  Program *p = c->program;
  int32_t count = ask(c);
  if (count < 0)
    return PyErr_Occurred() ? -1 : 0;
  int32_t first = c->player, seat = *player == RS_FIRST ? first : *player;
  *player = seat;
  if (first < RS_CHANCE || seat < RS_CHANCE || (first == RS_CHANCE) != (seat == RS_CHANCE))
    return 0;
  bool legal;
  if (seat == first) {
    legal = masked(c) ? (uint32_t)action < 128 && c->mask[action >> 6] >> (action & 63) & 1 : among(c->actions, count, action);
  } else {
    count = p->legal(c->state, seat, p->actions, p->most_actions);
    legal = count > 0 && among(p->actions, count, action);
  }
  if (!legal)
    return 0;
  if (seat != RS_CHANCE && c->decisions >= p->most_decisions)
    return 0;
  return seat == RS_CHANCE || count > 1 || !c->decisions || c->decisions % 64 || !p->endless(c->state, c->decisions);
}

/* Gives an answer that is legal: 1, 0 if Python has to see to it (and nothing has changed), -1 with an exception. */
static inline int change(Core *c, int32_t action, int32_t seat) {
  Program *p = c->program;
  RsState *to = new_block(p);
  if (!to)
    return -1;
  if (p->apply(c->state, to, seat == c->player ? RS_FIRST : seat, action) || (c->keeps && !answerable(p, to))) {
    free_block(p, to);
    return 0;
  }
  if ((c->keeps || c->records) && !add_answer(c, seat, action)) {
    free_block(p, to);
    return -1;
  }
  free_block(p, c->state);
  c->state = to;
  c->decisions += seat != RS_CHANCE;
  outdate(c);
  return 1;
}

static PyObject *give(Core *c, PyObject *action, PyObject *player) {
  int done = 0;
  long number = PyLong_AsLong(action), wanted = player == Py_None ? RS_FIRST : PyLong_AsLong(player);
  if ((number == -1 || wanted == -1) && PyErr_Occurred()) {
    PyErr_Clear(); /* Python says what is wrong with it */
  } else if (number >= INT32_MIN && number <= INT32_MAX && (player == Py_None || (wanted >= RS_CHANCE && wanted < c->program->players))) {
    int32_t seat = (int32_t)wanted;
    done = may_answer(c, (int32_t)number, &seat);
    if (done > 0)
      done = change(c, (int32_t)number, seat);
  }
  if (done < 0)
    return NULL;
  if (!done)
    return PyObject_CallMethodObjArgs((PyObject *)c, word_answer, action, player, NULL);
  Py_RETURN_NONE;
}

/* Whether it is surely one of the legal actions, which were asked for, of a seat with a choice: as nearly every answer is.  A number of our
 * lists is known by where it lies, as Python's small ones lie in a row; any other is looked at by `give`. */
static inline bool is_usual(const Core *c, PyObject *action, int32_t *number) {
  PyObject *const *numbers = c->program->numbers;
  uintptr_t k = ((uintptr_t)action - (uintptr_t)numbers[0]) / BETWEEN;
  *number = (int32_t)k;
  return k < 128 && numbers[k] == action && c->mask[k / 64] >> k % 64 & 1 && c->count > 1 && c->player >= 0 &&
         c->decisions < c->program->most_decisions;
}

static PyObject *core_apply_action(Core *c, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  if (!awake(c))
    return NULL;
  if (n == 1 && !names) {
    int32_t number;
    if (is_usual(c, args[0], &number) && change(c, number, c->player) > 0)
      Py_RETURN_NONE;
    return PyErr_Occurred() ? NULL : give(c, args[0], Py_None);
  }
  if (names && n == 0) { /* the action by its name: seldom, so Python sorts it out */
    Py_ssize_t named = PyTuple_Size(names);
    PyObject *action = NULL, *player = Py_None;
    for (Py_ssize_t k = 0; k < named; k++) {
      PyObject *name = PyTuple_GetItem(names, k);
      if (!PyUnicode_CompareWithASCIIString(name, "action"))
        action = args[k];
      else if (!PyUnicode_CompareWithASCIIString(name, "player"))
        player = args[k];
      else
        return PyErr_Format(PyExc_TypeError, "there is no argument `%U`", name);
    }
    if (action)
      return give(c, action, player);
  }
  PyObject *player = n < 1 ? NULL : player_argument(args, n, names, 1);
  if (!player) {
    if (n < 1)
      PyErr_SetString(PyExc_TypeError, "apply_action takes an action");
    return NULL;
  }
  return give(c, args[0], player);
}

/* --- copies and going back ------------------------------------------------------------------------------------------------------ */

static PyObject *copy_of(Core *c) {
  if (!awake(c))
    return NULL;
  Core *new = bare_core(Py_TYPE((PyObject *)c), c->program, c->setup, c->origin, c->keeps, c->records);
  if (!new)
    return NULL;
  if (c->state) {
    c->program->copy(c->state, new->state);
  } else {
    free_block(c->program, new->state);
    new->state = NULL;
  }
  new->answers = keep_answer(c->answers);
  new->decisions = c->decisions;
  new->player = c->player;
  if (c->stand_in) { /* nobody changes it in place */
    Py_INCREF(c->stand_in);
    new->stand_in = c->stand_in;
    new->stood = keep_answer(c->stood);
  }
  return (PyObject *)new;
}

/* A copy that is still as it was when the next one is made is one of many that somebody keeps. */
static PyObject *core_clone(Core *c, PyObject *unused) {
  (void)unused;
  Core *new = (Core *)copy_of(c);
  if (new && new->state) {
    Program *p = c->program;
    if (p->fresh)
      put_away(p->fresh);
    p->fresh = new;
  }
  return (PyObject *)new;
}

static PyObject *core_child(Core *c, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  PyObject *new = copy_of(c);
  if (!new)
    return NULL;
  PyObject *done = core_apply_action((Core *)new, args, n, names);
  if (!done) {
    Py_DECREF((PyObject *)new);
    return NULL;
  }
  Py_DECREF(done);
  return new;
}

/* _played_on(seed): a copy, played on to its end by random choices; it keeps nothing.  None where C cannot tell how it goes on. */
static PyObject *core_played_on(Core *c, PyObject *seed) {
  unsigned long long number = PyLong_AsUnsignedLongLong(seed);
  if (PyErr_Occurred())
    return NULL;
  if (!awake(c))
    return NULL;
  if (!c->state)
    Py_RETURN_NONE;
  Core *new = bare_core(Py_TYPE((PyObject *)c), c->program, c->setup, c->origin, false, false);
  if (!new)
    return NULL;
  Program *p = c->program;
  int64_t decisions = c->decisions, most = p->most_decisions;
  p->copy(c->state, new->state);
  Py_BEGIN_ALLOW_THREADS
  decisions = p->play_on(new->state, number, decisions, most);
  Py_END_ALLOW_THREADS
  if (decisions >= 0) {
    new->decisions = decisions;
    return (PyObject *)new;
  }
  Py_DECREF((PyObject *)new);
  Py_RETURN_NONE;
}

/* Back to the position before the last answer where its bytes were kept; false where Python has to see to it. */
static PyObject *core_go_back(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  Answer *last = c->answers;
  if (!last || !last->position)
    Py_RETURN_FALSE;
  PyObject *earlier = NULL;
  if (c->stand_in && c->stood == last) {
    earlier = PyObject_CallMethodObjArgs((PyObject *)c, word_undone, NULL);
    if (!earlier)
      return NULL;
  }
  if (!c->state && !(c->state = new_block(c->program))) {
    Py_XDECREF(earlier);
    return NULL;
  }
  c->program->unpack(last->position, c->state);
  c->decisions = last->decisions;
  c->answers = keep_answer(last->before);
  if (earlier) {
    Py_CLEAR(c->stand_in);
    drop_answer(c->stood);
    c->stand_in = earlier;
    c->stood = keep_answer(c->answers);
  }
  drop_answer(last);
  forget(c);
  Py_RETURN_TRUE;
}

/* --- between C and the stand-in ----------------------------------------------------------------------------------------------------- */

/* The stand-in as it is kept, or None, and the answers (seat, action) that it has not got; all of them where it is None. */
static PyObject *core_stale(Core *c, PyObject *unused) {
  (void)unused;
  PyObject *list = PyList_New(0);
  if (!list)
    return NULL;
  Answer *a = c->answers;
  for (; a && !(c->stand_in && a == c->stood); a = a->before) {
    PyObject *pair = Py_BuildValue("(ii)", (int)a->seat, (int)a->action);
    if (!pair || PyList_Append(list, pair)) {
      Py_XDECREF(pair);
      Py_DECREF(list);
      return NULL;
    }
    Py_DECREF(pair);
  }
  PyObject *stand_in = c->stand_in && a == c->stood ? c->stand_in : Py_None;
  if (PyList_Reverse(list)) {
    Py_DECREF(list);
    return NULL;
  }
  return Py_BuildValue("(ON)", stand_in, list);
}

/* The position as bytes of 64-bit numbers, None where C has none. */
static PyObject *core_numbers(Core *c, PyObject *unused) {
  (void)unused;
  if (!awake(c))
    return NULL;
  if (!c->state)
    Py_RETURN_NONE;
  int64_t most = c->program->most_numbers;
  int64_t *numbers = malloc((size_t)most * 8);
  if (!numbers)
    return PyErr_NoMemory();
  int64_t count = c->program->export(c->state, numbers, most);
  PyObject *bytes = count < 0 ? Py_NewRef(Py_None) : PyBytes_FromStringAndSize((char *)numbers, (Py_ssize_t)(count * 8));
  free(numbers);
  return bytes;
}

/* The stand-in is this one, which is equal to the position now. */
static PyObject *core_keep_stand_in(Core *c, PyObject *stand_in) {
  Py_INCREF(stand_in);
  Py_XDECREF(c->stand_in);
  c->stand_in = stand_in;
  Answer *stood = keep_answer(c->answers);
  drop_answer(c->stood);
  c->stood = stood;
  Py_RETURN_NONE;
}

/* resume(stand_in, numbers or None, seat, action, decisions): an answer was given to the stand-in, which stands for the position from
 * now on: beside C where the numbers fit, else alone.  A seat of None: no answer, the position was changed. */
static PyObject *core_resume(Core *c, PyObject *args) {
  if (!awake(c))
    return NULL;
  PyObject *stand_in, *numbers, *seat;
  int action;
  long long decisions;
  if (!PyArg_ParseTuple(args, "OOOiL", &stand_in, &numbers, &seat, &action, &decisions))
    return NULL;
  RsState *to = NULL;
  if (numbers != Py_None) {
    to = new_block(c->program);
    if (!to)
      return NULL;
    int fits = import_numbers(c->program, to, numbers);
    if (fits < 1) {
      free_block(c->program, to);
      to = NULL;
      if (fits < 0)
        return NULL;
    }
  }
  if (seat == Py_None) { /* what comes from elsewhere has its own past, which the stand-in knows */
    drop_answer(c->answers);
    c->answers = NULL;
    Py_INCREF(stand_in);
    Py_XDECREF(c->origin);
    c->origin = stand_in;
  } else if (c->keeps || c->records) {
    long number = PyLong_AsLong(seat);
    if ((number == -1 && PyErr_Occurred()) || !add_answer(c, (int32_t)number, action)) {
      free_block(c->program, to);
      return NULL;
    }
  }
  free_block(c->program, c->state);
  c->state = to;
  c->decisions = decisions;
  forget(c);
  return core_keep_stand_in(c, stand_in);
}

/* --- the type -------------------------------------------------------------------------------------------------------------------- */

static PyObject *core_setup(Core *c, void *unused) {
  (void)unused;
  return Py_NewRef(c->setup);
}

static PyObject *core_origin(Core *c, void *unused) {
  (void)unused;
  return Py_NewRef(c->origin);
}

static PyObject *core_keeps(Core *c, void *unused) {
  (void)unused;
  return PyBool_FromLong(c->keeps);
}

static PyObject *core_records(Core *c, void *unused) {
  (void)unused;
  return PyBool_FromLong(c->records);
}

static PyObject *core_decisions(Core *c, void *unused) {
  (void)unused;
  return PyLong_FromLongLong(c->decisions);
}

/* Why the last answer in this thread was handed over: a number of abi.h. */
static PyObject *core_why(Core *c, void *unused) {
  (void)unused;
  return PyLong_FromLong(c->state || c->packed ? c->program->why() : RS_UNFIT);
}

/* Whether C plays the position now. */
static PyObject *core_is_native(Core *c, void *unused) {
  (void)unused;
  return PyBool_FromLong(c->state || c->packed);
}

#define CALL(f) (PyCFunction)(void (*)(void))(f)
static PyMethodDef methods[] = {
    {"current_player", CALL(core_current_player), METH_NOARGS, NULL},
    {"pending_players", CALL(core_pending_players), METH_NOARGS, NULL},
    {"is_terminal", CALL(core_is_terminal), METH_NOARGS, NULL},
    {"is_chance_node", CALL(core_is_chance_node), METH_NOARGS, NULL},
    {"is_simultaneous", CALL(core_is_simultaneous), METH_NOARGS, NULL},
    {"returns", CALL(core_returns), METH_NOARGS, NULL},
    {"legal_actions", CALL(core_legal_actions), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"apply_action", CALL(core_apply_action), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"child", CALL(core_child), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"clone", CALL(core_clone), METH_NOARGS, NULL},
    {"_played_on", CALL(core_played_on), METH_O, NULL},
    {"_go_back", CALL(core_go_back), METH_NOARGS, NULL},
    {"_stale", CALL(core_stale), METH_NOARGS, NULL},
    {"_numbers", CALL(core_numbers), METH_NOARGS, NULL},
    {"_keep_stand_in", CALL(core_keep_stand_in), METH_O, NULL},
    {"_resume", CALL(core_resume), METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {{"setup", (getter)core_setup, NULL, NULL, NULL},
                                {"origin", (getter)core_origin, NULL, NULL, NULL},
                                {"keeps", (getter)core_keeps, NULL, NULL, NULL},
                                {"records", (getter)core_records, NULL, NULL, NULL},
                                {"decisions", (getter)core_decisions, NULL, NULL, NULL},
                                {"why", (getter)core_why, NULL, NULL, NULL},
                                {"is_native", (getter)core_is_native, NULL, NULL, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, core_free}, {Py_tp_traverse, core_traverse}, {Py_tp_clear, core_clear},
    {Py_tp_methods, methods},   {Py_tp_getset, members},         {0, NULL}};
/* The methods become those of a class that inherits them itself, which the interpreter calls without looking whether the class does. */
PyObject *adopt_methods(PyObject *type, PyMethodDef *method) {
  for (; method->ml_name; method++) {
    PyObject *descriptor = PyDescr_NewMethod((PyTypeObject *)type, method);
    int failed = !descriptor || PyObject_SetAttrString(type, method->ml_name, descriptor);
    Py_XDECREF(descriptor);
    if (failed)
      return NULL;
  }
  Py_RETURN_NONE;
}

PyObject *adopt_position(PyObject *module, PyObject *type) {
  (void)module;
  return adopt_methods(type, methods);
}

PyType_Spec core_spec = {"_core.Core", sizeof(Core), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         slots};
