/* Games as far as positions begin: what `new_state` and `playout` of `interpreter.Game` are where an object is loaded and the arguments
 * are the usual ones.  Everything else is left to `_new_state` and `_playout` of Python, with the same arguments.  See `module.c`. */
#include "core.h"

typedef struct {
  PyObject_HEAD
  Program *program; /* NULL: no object is loaded */
  PyObject *kind;   /* the class of its positions */
} Opening;

enum { SEED, CHANCE, UNDO, MAIN, RECORD, ARGUMENTS };
static const char *const spelled[ARGUMENTS] = {"seed", "chance", "undo", "main", "record"};
static PyObject *names_of[ARGUMENTS], *word_seeded, *word_new_state, *word_playout;

bool fill_opening(void) {
  for (int k = 0; k < ARGUMENTS; k++)
    if (!(names_of[k] = PyUnicode_InternFromString(spelled[k])))
      return false;
  word_seeded = PyUnicode_InternFromString("seeded");
  word_new_state = PyUnicode_InternFromString("_new_state");
  word_playout = PyUnicode_InternFromString("_playout");
  return word_seeded && word_new_state && word_playout;
}

static void opening_free(Opening *o) {
  PyTypeObject *type = Py_TYPE((PyObject *)o);
  Py_CLEAR(o->kind);
  Py_XDECREF((PyObject *)o->program);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(o);
  Py_DECREF(type);
}

/* _opened(program, kind): positions are begun by this object from now on. */
static PyObject *opening_opened(Opening *o, PyObject *args) {
  PyObject *program, *kind;
  if (!PyArg_ParseTuple(args, "OO", &program, &kind))
    return NULL;
  Py_INCREF(program);
  Py_INCREF(kind);
  Py_XDECREF((PyObject *)o->program);
  Py_XDECREF(o->kind);
  o->program = (Program *)program;
  o->kind = kind;
  Py_RETURN_NONE;
}

/* Calls a method of Python with the arguments that came. */
static PyObject *ask_python(PyObject *o, PyObject *method, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  PyObject *call = PyObject_GetAttr(o, method), *tuple = PyTuple_New(n), *named = PyDict_New(), *result = NULL;
  bool done = call && tuple && named;
  for (Py_ssize_t k = 0; done && k < n; k++)
    done = PyTuple_SetItem(tuple, k, Py_NewRef(args[k])) == 0;
  for (Py_ssize_t k = 0; done && names && k < PyTuple_Size(names); k++)
    done = PyDict_SetItem(named, PyTuple_GetItem(names, k), args[n + k]) == 0;
  if (done)
    result = PyObject_Call(call, tuple, named);
  Py_XDECREF(call);
  Py_XDECREF(tuple);
  Py_XDECREF(named);
  return result;
}

static bool is_seed(PyObject *object, uint64_t *seed) {
  if (!object || !PyLong_CheckExact(object))
    return false;
  *seed = PyLong_AsUnsignedLongLong(object);
  if (*seed != UINT64_MAX || !PyErr_Occurred())
    return true;
  PyErr_Clear();
  return false;
}

/* The arguments in their order; false where one of them is not called as they are. */
static bool sorted(PyObject *const *args, Py_ssize_t n, PyObject *names, PyObject *given[ARGUMENTS]) {
  if (n > ARGUMENTS)
    return false;
  for (Py_ssize_t k = 0; k < n; k++)
    given[k] = args[k];
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t k = 0; k < named; k++) {
    PyObject *name = PyTuple_GetItem(names, k);
    int at = 0;
    while (at < ARGUMENTS && names_of[at] != name) /* a name in a call is the same object as here, as all are interned */
      at++;
    if (at == ARGUMENTS || given[at])
      return false;
    given[at] = args[n + k];
  }
  return true;
}

static PyObject *opening_new_state(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  Opening *o = (Opening *)self;
  PyObject *given[ARGUMENTS] = {NULL};
  uint64_t seed;
  if (o->program && sorted(args, n, names, given) && is_seed(given[SEED], &seed) &&
      (!given[CHANCE] || given[CHANCE] == word_seeded) && (!given[MAIN] || given[MAIN] == Py_None)) {
    PyObject *undo = given[UNDO] ? given[UNDO] : Py_True, *record = given[RECORD] ? given[RECORD] : Py_True;
    if ((undo == Py_True || undo == Py_False) && (record == Py_True || record == Py_False)) {
      Core *c = bare_core((PyTypeObject *)o->kind, o->program, self, given[SEED], undo == Py_True, record == Py_True);
      if (!c || begin_core(c, seed, true))
        return (PyObject *)c;
      Py_DECREF((PyObject *)c);
    }
  }
  return ask_python(self, word_new_state, args, n, names);
}

static PyObject *opening_playout(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  Opening *o = (Opening *)self;
  uint64_t seed;
  if (o->program && n == 1 && !names && is_seed(args[0], &seed)) {
    Core *c = bare_core((PyTypeObject *)o->kind, o->program, self, args[0], false, false);
    if (!c || play_core(c, seed))
      return (PyObject *)c;
    Py_DECREF((PyObject *)c);
  }
  return ask_python(self, word_playout, args, n, names);
}

#define CALL(f) (PyCFunction)(void (*)(void))(f)
static PyMethodDef methods[] = {
    {"new_state", CALL(opening_new_state), METH_FASTCALL | METH_KEYWORDS,
     "new_state($self, /, seed=None, chance='seeded', undo=True, main=None, record=True)\n--\n\n"
     "A position at the first decision: see `SlotPosition.start`.  Raises IllegalAction P008 for a bad argument, and Fault."},
    {"playout", CALL(opening_playout), METH_FASTCALL | METH_KEYWORDS,
     "playout($self, /, seed=None, policy=None, record=False)\n--\n\n"
     "A game played to its end, by default by uniformly random choices; raises IllegalAction P008 for a bad seed, and Fault.\n\n"
     "With `record` it has its log and history; without, nothing is made that the end does not need."},
    {"_opened", (PyCFunction)opening_opened, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, PyType_GenericNew}, {Py_tp_dealloc, opening_free}, {Py_tp_methods, methods}, {0, NULL}};
PyType_Spec opening_spec = {"_core.Opening", sizeof(Opening), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

PyObject *adopt_game(PyObject *module, PyObject *type) {
  (void)module;
  return adopt_methods(type, methods);
}
