/* The extension module `_core`: loads the shared objects of games (`abi.h`) and keeps their positions as Python objects.
 *
 * One module serves all games.  It is written for Python's limited interface, so that one build fits every version from 3.11 on.
 *
 * `Program` is an object that was loaded, with the calls of `abi.h`.  `Core` is a position: the part of a state that has to be fast.
 * Whatever a Core cannot do is done by methods of the Python class that inherits from it (`interpreter/native_position.py`), which
 * are called by name: `_python()` gives a stand-in, an equal position kept as slots; `_answer(action, player)` gives the answer to
 * the stand-in and goes on from there, or raises what is to be raised; `_undone()` is the stand-in after `undo`.
 * `Opening` is what games inherit: they make positions (`opening.c`).
 * `Games` is many positions that are stepped at once (`interpreter/batch.py`).
 *
 * The GIL protects everything but blocks of positions; where it is released, the blocks are known to nobody else.
 */
#include "core.h"
#include "actions.h"

static bool add_type(PyObject *module, PyType_Spec *spec, const char *name) {
  PyObject *type = PyType_FromSpec(spec);
  bool added = type && PyModule_AddObjectRef(module, name, type) == 0;
  Py_XDECREF(type);
  return added;
}

static int fill(PyObject *module) {
  word_python = PyUnicode_InternFromString("_python");
  word_answer = PyUnicode_InternFromString("_answer");
  word_undone = PyUnicode_InternFromString("_undone");
  bool done = word_python && word_answer && word_undone && fill_opening() && look_at_lists() && add_type(module, &program_spec, "Program") &&
              add_type(module, &core_spec, "Core") && add_type(module, &opening_spec, "Opening") &&
              add_type(module, &games_spec, "Games") &&
              PyModule_AddIntConstant(module, "ABI", RS_ABI) == 0;
  return done ? 0 : -1;
}

static PyMethodDef functions[] = {{"adopt_position", adopt_position, METH_O, NULL},
                                  {"adopt_game", adopt_game, METH_O, NULL},
                                  {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_core", NULL, 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) {
  return PyModuleDef_Init(&definition);
}
