/* Programs: shared objects of games that were loaded, and the positions that they make.  See `module.c`. */
#include "core.h"
#include "actions.h"

#include <dlfcn.h>

/* --- programs ------------------------------------------------------------------------------------------------------------ */

static void program_free(Program *p) {
  PyTypeObject *type = Py_TYPE((PyObject *)p);
  free_old(p);
  free_lists(p);
  while (p->spares)
    free(p->spare[--p->spares]);
  free(p->actions);
  free(p->seats);
  if (p->handle)
    dlclose(p->handle);
  PyObject_Free(p);
  Py_DECREF(type);
}

static bool bind(Program *p, const char *name, void *call) {
  void *symbol = dlsym(p->handle, name);
  if (!symbol) {
    PyErr_Format(PyExc_ImportError, "the object has no %s", name);
    return false;
  }
  memcpy(call, &symbol, sizeof symbol); /* ISO C has no cast from a pointer to data to one to a function */
  return true;
}

static bool bind_all(Program *p) {
  __typeof__(&rs_abi) abi;
  __typeof__(&rs_open) opens;
  __typeof__(&rs_size) size;
  __typeof__(&rs_players) players;
  __typeof__(&rs_most_actions) most_actions;
  __typeof__(&rs_most_numbers) most_numbers;
  __typeof__(&rs_unit) unit;
  if (!bind(p, "rs_abi", &abi))
    return false;
  if (abi() != RS_ABI) {
    PyErr_Format(PyExc_ImportError, "the object has the interface %d, not %d", (int)abi(), RS_ABI);
    return false;
  }
  if (!bind(p, "rs_open", &opens) || !bind(p, "rs_size", &size) || !bind(p, "rs_players", &players) ||
      !bind(p, "rs_most_actions", &most_actions) || !bind(p, "rs_most_numbers", &most_numbers) ||
      !bind(p, "rs_unit", &unit) ||
      !bind(p, "rs_copy", &p->copy) || !bind(p, "rs_pack", &p->pack) || !bind(p, "rs_unpack", &p->unpack) || !bind(p, "rs_asked", &p->asked) || !bind(p, "rs_new", &p->begin) || !bind(p, "rs_player", &p->player) ||
      !bind(p, "rs_pending", &p->pending) || !bind(p, "rs_sealed", &p->sealed) || !bind(p, "rs_point", &p->point) || !bind(p, "rs_legal", &p->legal) ||
      !bind(p, "rs_apply", &p->apply) || !bind(p, "rs_returns", &p->returns) || !bind(p, "rs_endless", &p->endless) ||
      !bind(p, "rs_playout", &p->playout) || !bind(p, "rs_playouts", &p->playouts) || !bind(p, "rs_play_on", &p->play_on) ||
      !bind(p, "rs_export", &p->export) || !bind(p, "rs_import", &p->import) || !bind(p, "rs_why", &p->why))
    return false;
  if (opens()) {
    PyErr_SetString(PyExc_ImportError, "the game cannot begin in C");
    return false;
  }
  p->size = size();
  p->players = players();
  p->most_actions = most_actions();
  p->most_numbers = most_numbers();
  p->unit = unit();
  p->length = INT32_MAX;
  p->actions = malloc(sizeof(int32_t) * (size_t)p->most_actions);
  p->seats = malloc(sizeof(int32_t) * (size_t)p->players);
  if (!p->actions || !p->seats) {
    PyErr_NoMemory();
    return false;
  }
  return fill_lists(p);
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)kwargs;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
    return NULL;
  Program *p = (Program *)PyType_GenericAlloc(type, 0);
  if (p) {
    p->most_decisions = INT64_MAX;
    p->handle = dlopen(PyBytes_AsString(path), RTLD_NOW | RTLD_LOCAL);
    if (!p->handle)
      PyErr_SetString(PyExc_ImportError, dlerror());
    if (!p->handle || !bind_all(p)) {
      Py_DECREF((PyObject *)p);
      p = NULL;
    }
  }
  Py_DECREF(path);
  return (PyObject *)p;
}

/* --- making positions -------------------------------------------------------------------------------------------------------- */

/* Makes it a game at its first question; false where C cannot begin it. */
bool begin_core(Core *c, uint64_t seed, bool seeded) {
  return !c->program->begin(c->state, seed, seeded) && (!c->keeps || answerable(c->program, c->state));
}

/* Makes it the end of a game by random choices; false where it is to be played decision by decision.  Other threads may run meanwhile,
 * unless games are over within a few answers: to let them takes as long as that. */
bool play_core(Core *c, uint64_t seed) {
  Program *p = c->program;
  int64_t most = p->most_decisions;
  if (p->length < 8 * FEW_ANSWERS) {
    c->decisions = p->playout(c->state, seed, most);
  } else {
    Py_BEGIN_ALLOW_THREADS
    c->decisions = p->playout(c->state, seed, most);
    Py_END_ALLOW_THREADS
  }
  p->length += (c->decisions < 0 ? 8 * FEW_ANSWERS : c->decisions) - p->length / 8;
  return c->decisions >= 0;
}

/* new_state(type, setup, seed or None, keeps, records): a position at its first question; None where C cannot begin it. */
static PyObject *program_new_state(Program *p, PyObject *const *args, Py_ssize_t n) {
  if (n != 5) {
    PyErr_SetString(PyExc_TypeError, "new_state takes 5 arguments");
    return NULL;
  }
  uint64_t seed = args[2] == Py_None ? 0 : PyLong_AsUnsignedLongLong(args[2]);
  if (PyErr_Occurred())
    return NULL;
  Core *c = bare_core((PyTypeObject *)args[0], p, args[1], args[2], PyObject_IsTrue(args[3]) > 0, PyObject_IsTrue(args[4]) > 0);
  if (!c || begin_core(c, seed, args[2] != Py_None))
    return (PyObject *)c;
  Py_DECREF((PyObject *)c);
  Py_RETURN_NONE;
}

/* playout(type, setup, seed): see `play_core`; None where it says false. */
static PyObject *program_playout(Program *p, PyObject *const *args, Py_ssize_t n) {
  if (n != 3) {
    PyErr_SetString(PyExc_TypeError, "playout takes 3 arguments");
    return NULL;
  }
  uint64_t seed = PyLong_AsUnsignedLongLong(args[2]);
  if (PyErr_Occurred())
    return NULL;
  Core *c = bare_core((PyTypeObject *)args[0], p, args[1], args[2], false, false);
  if (!c || play_core(c, seed))
    return (PyObject *)c;
  Py_DECREF((PyObject *)c);
  Py_RETURN_NONE;
}

/* playouts(first, games, answers, returns): the games of that many seeds; how many answers they took together.  `answers` is a
 * writable buffer of 64-bit numbers, -9 where a game was not played, `returns` one of as many for each seat. */
static PyObject *program_playouts(Program *p, PyObject *args) {
  unsigned long long first;
  Py_ssize_t games;
  Py_buffer answers, returns;
  if (!PyArg_ParseTuple(args, "Knw*w*", &first, &games, &answers, &returns))
    return NULL;
  PyObject *result = NULL;
  Py_ssize_t word = (Py_ssize_t)sizeof(int64_t);
  if (games < 0 || games > PY_SSIZE_T_MAX / word / p->players || answers.len < games * word ||
      returns.len < games * word * p->players) {
    PyErr_SetString(PyExc_ValueError, "a buffer is too small for the games");
  } else {
    RsState *s = new_block(p);
    if (s) {
      int64_t total, most = p->most_decisions;
      Py_BEGIN_ALLOW_THREADS
      total = p->playouts(s, first, games, most, answers.buf, returns.buf);
      Py_END_ALLOW_THREADS
      free_block(p, s);
      result = PyLong_FromLongLong(total);
    }
  }
  PyBuffer_Release(&answers);
  PyBuffer_Release(&returns);
  return result;
}

/* position(type, setup, numbers, keeps, records, decisions, stand_in): the position of numbers that `exchange` made of the slots of
 * `stand_in`; None where they do not fit. */
static PyObject *program_position(Program *p, PyObject *const *args, Py_ssize_t n) {
  if (n != 7) {
    PyErr_SetString(PyExc_TypeError, "position takes 7 arguments");
    return NULL;
  }
  int64_t decisions = PyLong_AsLongLong(args[5]);
  if (PyErr_Occurred())
    return NULL;
  Core *c = bare_core((PyTypeObject *)args[0], p, args[1], args[6], args[3] == Py_True, args[4] == Py_True);
  if (!c)
    return NULL;
  c->decisions = decisions;
  Py_INCREF(args[6]);
  c->stand_in = args[6];
  int fits = import_numbers(p, c->state, args[2]);
  if (fits == 1 && (!c->keeps || answerable(p, c->state)))
    return (PyObject *)c;
  Py_DECREF((PyObject *)c);
  if (fits < 0)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *program_most_decisions(Program *p, void *unused) {
  (void)unused;
  return PyLong_FromLongLong(p->most_decisions);
}

static int program_set_most_decisions(Program *p, PyObject *number, void *unused) {
  (void)unused;
  int64_t most = number ? PyLong_AsLongLong(number) : 0;
  if (PyErr_Occurred()) {
    PyErr_Clear();
    most = INT64_MAX; /* a bound that no game reaches */
  }
  p->most_decisions = most;
  return 0;
}

static PyMethodDef methods[] = {
    {"new_state", (PyCFunction)(void (*)(void))program_new_state, METH_FASTCALL, NULL},
    {"position", (PyCFunction)(void (*)(void))program_position, METH_FASTCALL, NULL},
    {"playout", (PyCFunction)(void (*)(void))program_playout, METH_FASTCALL, NULL},
    {"playouts", (PyCFunction)program_playouts, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {
    {"most_decisions", (getter)program_most_decisions, (setter)program_set_most_decisions, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, program_new},     {Py_tp_dealloc, program_free}, {Py_tp_methods, methods},
                              {Py_tp_getset, members},      {0, NULL}};
PyType_Spec program_spec = {"_core.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT, slots};
