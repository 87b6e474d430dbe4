/* Many games of one program that are stepped at once, into buffers that Python owns.  See `module.c` and `interpreter/batch.py`.
 *
 * A range of games is stepped without the GIL, so that threads may each have a range; each game is touched by one of them only. */
#include "core.h"
#include "vectors.h"

/* Of a game: played here; in Python; its answer, or its beginning, is still to come, in Python. */
enum { HERE, ELSEWHERE, UNANSWERED, UNBEGUN };
enum { PLAYERS, DONE, REWARDS, LEGAL, COUNTS, EPISODES, STATUS, BUFFERS };

typedef struct {
  PyObject_HEAD
  Program *program;
  int64_t games, width; /* of a row of `legal`: actions of a mask, or room for a list */
  uint64_t seed;
  int masked;
  RsState **states;
  int64_t *decisions; /* of each game so far */
  Py_buffer buffer[BUFFERS];
  int32_t *players, *counts;
  uint8_t *done, *status;
  double *rewards;
  int64_t *episodes; /* how many games have ended in each place */
  Vectors *vectors;  /* how what the asked seat sees is written; NULL if nobody wants it */
  Py_buffer observations;
} Games;

/* What a range needs while it is stepped. */
typedef struct {
  RsState *spare;
  int32_t *actions, *seats;
  int64_t *returns, *numbers;
} Room;

static void games_free(Games *g) {
  PyTypeObject *type = Py_TYPE((PyObject *)g);
  for (int64_t i = 0; g->states && i < g->games; i++)
    free(g->states[i]);
  for (int k = 0; k < BUFFERS; k++)
    if (g->buffer[k].obj)
      PyBuffer_Release(&g->buffer[k]);
  free_vectors(g->vectors);
  if (g->observations.obj)
    PyBuffer_Release(&g->observations);
  free(g->states);
  free(g->decisions);
  Py_XDECREF((PyObject *)g->program);
  PyObject_Free(g);
  Py_DECREF(type);
}

/* Games(program, games, seed, masked, width, players, done, rewards, legal, counts, episodes, status): writable buffers of 32-bit
 * numbers, bytes, doubles (games * seats), bytes or 32-bit numbers (games * width), 32-bit numbers, 64-bit numbers, bytes. */
static PyObject *games_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)kwargs;
  Games *g = (Games *)PyType_GenericAlloc(type, 0);
  PyObject *program = NULL, *buffers[BUFFERS];
  unsigned long long seed;
  long long games, width;
  if (!g)
    return NULL;
  if (!PyArg_ParseTuple(args, "OLKpLOOOOOOO", &program, &games, &seed, &g->masked, &width, &buffers[PLAYERS], &buffers[DONE],
                        &buffers[REWARDS], &buffers[LEGAL], &buffers[COUNTS], &buffers[EPISODES], &buffers[STATUS]))
    goto fail;
  Py_INCREF(program);
  g->program = (Program *)program;
  if (games < 1 || width < 1 || games > INT32_MAX || width > INT32_MAX) {
    PyErr_SetString(PyExc_ValueError, "there is at least one game, and one action");
    goto fail;
  }
  g->games = games;
  g->width = width;
  g->seed = seed;
  const int64_t bytes[BUFFERS] = {4 * games, games, 8 * games * g->program->players, (g->masked ? 1 : 4) * games * width,
                                  4 * games, 8 * games, games};
  for (int k = 0; k < BUFFERS; k++) {
    if (PyObject_GetBuffer(buffers[k], &g->buffer[k], PyBUF_WRITABLE)) {
      g->buffer[k].obj = NULL;
      goto fail;
    }
    if (g->buffer[k].len < bytes[k]) {
      PyErr_SetString(PyExc_ValueError, "a buffer is too small for the games");
      goto fail;
    }
  }
  g->players = g->buffer[PLAYERS].buf;
  g->done = g->buffer[DONE].buf;
  g->rewards = g->buffer[REWARDS].buf;
  g->counts = g->buffer[COUNTS].buf;
  g->episodes = g->buffer[EPISODES].buf;
  g->status = g->buffer[STATUS].buf;
  g->states = calloc((size_t)games, sizeof *g->states);
  g->decisions = calloc((size_t)games, sizeof *g->decisions);
  for (int64_t i = 0; g->states && g->decisions && i < games; i++)
    if (!(g->states[i] = own_lines((size_t)g->program->size)))
      break;
  if (!g->states || !g->decisions || !g->states[games - 1]) {
    PyErr_NoMemory();
    goto fail;
  }
  return (PyObject *)g;
fail:
  Py_DECREF((PyObject *)g);
  return NULL;
}

/* --- one game ---------------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* The seed of the next game of a place: `rng.number(seed, episode * games + place)`. */
static uint64_t seed_of(const Games *g, int64_t i) {
  uint64_t counter = (uint64_t)g->episodes[i] * (uint64_t)g->games + (uint64_t)i;
  return mix(mix(g->seed ^ 0x5DEECE66D1CE4E5Bu) + (counter + 1) * 0x9E3779B97F4A7C15u);
}

/* Who is asked, what may be answered and what who is asked sees, into the buffers. */
static void look(Games *g, int64_t i, const Room *room) {
  Program *p = g->program;
  int32_t player = p->player(g->states[i]);
  int32_t *list = g->masked ? room->actions : (int32_t *)g->buffer[LEGAL].buf + i * g->width;
  int32_t most = g->masked || g->width > p->most_actions ? p->most_actions : (int32_t)g->width;
  int32_t count = player < 0 ? RS_HANDOVER : p->legal(g->states[i], RS_FIRST, list, most);
  if (count < 0) {
    g->status[i] = ELSEWHERE;
    return;
  }
  if (g->masked) {
    uint8_t *mask = (uint8_t *)g->buffer[LEGAL].buf + i * g->width;
    memset(mask, 0, (size_t)g->width);
    for (int32_t k = 0; k < count; k++) {
      if (list[k] < 0 || list[k] >= g->width) {
        g->status[i] = ELSEWHERE;
        return;
      }
      mask[list[k]] = 1;
    }
  }
  g->players[i] = player;
  g->counts[i] = count;
  if (g->vectors) {
    float *row = (float *)g->observations.buf + i * g->vectors->width;
    if (!fill_vector(g->vectors, p, g->states[i], player, room->numbers, room->seats, row))
      g->status[i] = ELSEWHERE;
  }
}

/* The next game of a place, from its seed. */
static void begin(Games *g, int64_t i, const Room *room) {
  g->decisions[i] = 0;
  g->status[i] = HERE;
  if (g->program->begin(g->states[i], seed_of(g, i), 1) || g->program->player(g->states[i]) == RS_TERMINAL)
    g->status[i] = UNBEGUN;
  else
    look(g, i, room);
}

static bool allowed(const Games *g, int64_t i, int32_t action) {
  if (g->masked)
    return action >= 0 && action < g->width && ((uint8_t *)g->buffer[LEGAL].buf)[i * g->width + action];
  const int32_t *list = (int32_t *)g->buffer[LEGAL].buf + i * g->width;
  for (int32_t k = 0; k < g->counts[i]; k++)
    if (list[k] == action)
      return true;
  return false;
}

/* Gives one answer; the spare block of `room` may be exchanged for that of the game. */
static void step(Games *g, int64_t i, int32_t action, Room *room) {
  Program *p = g->program;
  int64_t decisions = g->decisions[i];
  g->done[i] = 0;
  for (int32_t k = 0; k < p->players; k++)
    g->rewards[i * p->players + k] = 0;
  if (g->status[i] != HERE)
    return;
  bool endless = decisions >= p->most_decisions ||
                 (g->counts[i] == 1 && decisions && decisions % 64 == 0 && p->endless(g->states[i], decisions));
  if (endless || p->apply(g->states[i], room->spare, RS_FIRST, action)) {
    g->status[i] = UNANSWERED;
    return;
  }
  RsState *after = room->spare;
  room->spare = g->states[i];
  g->states[i] = after;
  g->decisions[i]++;
  if (p->player(after) != RS_TERMINAL) {
    look(g, i, room);
    return;
  }
  p->returns(after, room->returns);
  g->done[i] = 1;
  for (int32_t k = 0; k < p->players; k++)
    g->rewards[i * p->players + k] = (double)room->returns[k] / (double)p->unit;
  g->episodes[i]++;
  begin(g, i, room);
}

/* --- ranges of games ------------------------------------------------------------------------------------------------------------ */

/* All but the spare block, which is exchanged for others, is one piece of memory, from `returns` on. */
static bool make_room(const Games *g, Room *room) {
  const Program *p = g->program;
  size_t players = (size_t)p->players, halves = (players + (size_t)p->most_actions + 1) & ~(size_t)1; /* what is behind is aligned to 8 */
  size_t notes = g->vectors ? (size_t)g->vectors->notes : 0;
  room->spare = own_lines((size_t)p->size);
  room->returns = own_lines(sizeof(int64_t) * (players + (size_t)p->most_numbers + 1) + sizeof(int32_t) * halves + notes);
  if (!room->spare || !room->returns) {
    PyErr_NoMemory();
    return false;
  }
  room->seats = (int32_t *)(room->returns + players);
  room->actions = room->seats + players;
  room->numbers = (int64_t *)(room->seats + halves);
  return true;
}

static void free_room(Room *room) {
  free(room->spare);
  free(room->returns);
}

static bool in_range(const Games *g, long long low, long long high) {
  if (low >= 0 && low <= high && high <= g->games)
    return true;
  PyErr_SetString(PyExc_IndexError, "there are no such games");
  return false;
}

/* reset(low, high): the first game of each place. */
static PyObject *games_reset(Games *g, PyObject *args) {
  long long low, high;
  Room room = {0};
  if (!PyArg_ParseTuple(args, "LL", &low, &high) || !in_range(g, low, high))
    return NULL;
  if (make_room(g, &room)) {
    Py_BEGIN_ALLOW_THREADS
    for (int64_t i = low; i < high; i++) {
      g->episodes[i] = 0;
      g->done[i] = 0;
      for (int32_t k = 0; k < g->program->players; k++)
        g->rewards[i * g->program->players + k] = 0;
      begin(g, i, &room);
    }
    Py_END_ALLOW_THREADS
  }
  free_room(&room);
  if (PyErr_Occurred())
    return NULL;
  Py_RETURN_NONE;
}

/* The actions of a step: a buffer of one 32-bit number for each game. */
static bool actions_of(const Games *g, PyObject *object, Py_buffer *actions) {
  if (PyObject_GetBuffer(object, actions, PyBUF_SIMPLE))
    return false;
  if (actions->len == 4 * g->games)
    return true;
  PyErr_SetString(PyExc_ValueError, "there is to be one action for each game");
  PyBuffer_Release(actions);
  return false;
}

/* refused(low, high, actions): the first place whose action is not legal, -1 if all are; those played elsewhere are not looked at. */
static PyObject *games_refused(Games *g, PyObject *args) {
  long long low, high;
  PyObject *object;
  Py_buffer actions;
  if (!PyArg_ParseTuple(args, "LLO", &low, &high, &object) || !in_range(g, low, high) || !actions_of(g, object, &actions))
    return NULL;
  int64_t i = low;
  Py_BEGIN_ALLOW_THREADS
  for (; i < high; i++) {
    int32_t action;
    memcpy(&action, (char *)actions.buf + 4 * i, 4);
    if (g->status[i] == HERE && !allowed(g, i, action))
      break;
  }
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&actions);
  return PyLong_FromLongLong(i < high ? i : -1);
}

/* step(low, high, actions): an answer to each game of a range; how many of them Python has to see to, which `status` names. */
static PyObject *games_step(Games *g, PyObject *args) {
  long long low, high;
  PyObject *object;
  Py_buffer actions;
  Room room = {0};
  if (!PyArg_ParseTuple(args, "LLO", &low, &high, &object) || !in_range(g, low, high) || !actions_of(g, object, &actions))
    return NULL;
  int64_t left = 0;
  if (make_room(g, &room)) {
    Py_BEGIN_ALLOW_THREADS
    for (int64_t i = low; i < high; i++) {
      int32_t action;
      memcpy(&action, (char *)actions.buf + 4 * i, 4);
      if (g->status[i] == HERE && !allowed(g, i, action))
        g->status[i] = UNANSWERED; /* nobody looked whether it is legal */
      step(g, i, action, &room);
      left += g->status[i] != HERE;
    }
    Py_END_ALLOW_THREADS
  }
  free_room(&room);
  PyBuffer_Release(&actions);
  return PyErr_Occurred() ? NULL : PyLong_FromLongLong(left);
}

/* take(place, type, setup): the game of a place as a position, which is a copy. */
static PyObject *games_take(Games *g, PyObject *args) {
  long long i;
  PyObject *type, *setup;
  if (!PyArg_ParseTuple(args, "LOO", &i, &type, &setup) || !in_range(g, i, i + 1))
    return NULL;
  if (g->status[i] == UNBEGUN) { /* its block means nothing */
    PyErr_SetString(PyExc_IndexError, "this game has not begun");
    return NULL;
  }
  PyObject *seed = PyLong_FromUnsignedLongLong(seed_of(g, i));
  Core *c = seed ? bare_core((PyTypeObject *)type, g->program, setup, seed, false, false) : NULL;
  Py_XDECREF(seed);
  if (!c)
    return NULL;
  g->program->copy(g->states[i], c->state);
  c->decisions = g->decisions[i];
  return (PyObject *)c;
}

/* put(place, position): a position is the game of a place from now on; whether it is played here. */
static PyObject *games_put(Games *g, PyObject *args) {
  long long i;
  PyObject *position;
  Room room = {0};
  if (!PyArg_ParseTuple(args, "LO", &i, &position) || !in_range(g, i, i + 1))
    return NULL;
  Core *c = (Core *)position;
  if (!awake(c))
    return NULL;
  if (c->program != g->program || !c->state) {
    g->status[i] = ELSEWHERE;
  } else if (make_room(g, &room)) {
    g->program->copy(c->state, g->states[i]);
    g->decisions[i] = c->decisions;
    g->status[i] = HERE;
    look(g, i, &room);
  }
  free_room(&room);
  return PyErr_Occurred() ? NULL : PyBool_FromLong(g->status[i] == HERE);
}

/* observe(vectors, observations): from now on what the asked seat sees is written to a buffer of floats (games * entries); see
 * `make_vectors` for `vectors`. */
static PyObject *games_observe(Games *g, PyObject *args) {
  PyObject *data, *buffer;
  Vectors *v;
  if (g->vectors || !PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &data, &buffer)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "these games have their observations already");
    return NULL;
  }
  if (!(v = make_vectors(data, g->program->players)))
    return NULL;
  if (PyObject_GetBuffer(buffer, &g->observations, PyBUF_WRITABLE)) {
    g->observations.obj = NULL;
  } else if (g->observations.len < 4 * g->games * v->width) {
    PyBuffer_Release(&g->observations);
    g->observations.obj = NULL;
    PyErr_SetString(PyExc_ValueError, "a buffer is too small for the games");
  } else {
    g->vectors = v;
    Py_RETURN_NONE;
  }
  free_vectors(v);
  return NULL;
}

static PyMethodDef methods[] = {{"reset", (PyCFunction)games_reset, METH_VARARGS, NULL},
                                {"refused", (PyCFunction)games_refused, METH_VARARGS, NULL},
                                {"step", (PyCFunction)games_step, METH_VARARGS, NULL},
                                {"take", (PyCFunction)games_take, METH_VARARGS, NULL},
                                {"put", (PyCFunction)games_put, METH_VARARGS, NULL},
                                {"observe", (PyCFunction)games_observe, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, games_new}, {Py_tp_dealloc, games_free}, {Py_tp_methods, methods}, {0, NULL}};
PyType_Spec games_spec = {"_core.Games", sizeof(Games), 0, Py_TPFLAGS_DEFAULT, slots};
