/* Every way to pay one of some prices: `rulespec/library/payments.py`, whose names these are.  `$` is the number of the instance, of which
 * KINDS$, GROUPS$ and so on are numbers of the program: GROUPS$ groups of cards that stand for the same, of which LEFT cards each are there.
 */
typedef struct { V a[KINDS$]; } Bag$;
typedef struct { V a[KINDS$ + 1]; } Wanted$; /* pieces, and how many needs are converted */
typedef struct { V a[KINDS$ + GROUPS$]; } Cover$; /* what is left to be paid, how many cards of each group */
typedef struct { Cover$ cover; V swapped; int cards; int16_t card[CARDS$]; } Way$;
typedef struct { V need[KINDS$], limits[KINDS$], room[KINDS$ + 1], lots[KINDS$], pieces[KINDS$], rate, lot; int n; Wanted$ *wanted; } Conversion$;
typedef struct { V have[GROUPS$]; int16_t card[GROUPS$][CARDS$]; } Hand$;

static void want$(RsState *S, Conversion$ *c, V swapped) {
  FUEL(S, c->n + 1);
  for (int i = 0; i < c->n; i++)
    if (c->wanted[i].a[KINDS$] == swapped && !memcmp(c->wanted[i].a, c->pieces, sizeof c->pieces)) return;
  if (c->n >= MOST$) full(S);
  memcpy(c->wanted[c->n].a, c->pieces, sizeof c->pieces);
  c->wanted[c->n++].a[KINDS$] = swapped;
}

static void sources$(RsState *S, Conversion$ *c, int kind, V left, V swapped) {
  FUEL(S, 1);
  if (kind == KINDS$) { if (!left) want$(S, c, swapped); return; }
  if (left > c->room[kind]) return;
  V count = c->need[kind] - c->lot * c->lots[kind];
  for (V n = 0; n < (c->lots[kind] ? 1 : left + 1); n++) { /* a kind is not converted into itself */
    V total = count + c->rate * n;
    if (total > c->limits[kind]) break;
    c->pieces[kind] = total;
    sources$(S, c, kind + 1, left - n, swapped);
  }
}

static void swap$(RsState *S, Conversion$ *c, int kind, V lots) {
  FUEL(S, 1);
  if (kind == KINDS$) {
    for (int k = KINDS$ - 1; k >= 0; k--) {
      V spare = c->limits[k] - c->need[k];
      c->room[k] = c->room[k + 1] + (c->rate > 0 && !c->lots[k] && spare > 0 ? spare / c->rate : 0);
    }
    sources$(S, c, 0, lots, c->lot * lots);
    return;
  }
  V count = c->need[kind];
  for (V n = 0; n < (c->rate > 0 ? count / c->lot + 1 : 1); n++) {
    if (count - c->lot * n > c->limits[kind]) continue;
    c->lots[kind] = n;
    swap$(S, c, kind + 1, lots + n);
  }
}

static int enough$(const V *price, const V *supply, V rate, V lot) {
  V lacking = 0, spare = 0;
  for (int k = 0; k < KINDS$; k++) {
    if (price[k] > supply[k]) {
      V lots = (price[k] - supply[k] + lot - 1) / lot;
      if (rate <= 0 || lots > price[k] / lot) return 0;
      lacking += lots;
    } else if (rate > 0) spare += (supply[k] - price[k]) / rate;
  }
  return lacking <= spare;
}

static int leaner$(const V *less, const V *more, int n) {
  for (int i = 0; i < n; i++) if (less[i] > more[i]) return 0;
  return 1;
}

/* A way, with how many needs are converted in it; the cheapest of equal ones is kept. */
static int found$(RsState *S, const Cover$ *cover, V swapped, Way$ *ways, int n) {
  FUEL(S, n + 1);
  for (int i = 0; i < n; i++) {
    if (!memcmp(&ways[i].cover, cover, sizeof *cover)) {
      if (swapped < ways[i].swapped) ways[i].swapped = swapped;
      return n;
    }
  }
  if (n >= MOST$) full(S);
  ways[n].cover = *cover;
  ways[n].swapped = swapped;
  return n + 1;
}

static void hold$(RsState *S, Hand$ *hand, V card) {
  int group = GROUP$[at_(S, card, ALL$)];
  if (group >= 0) hand->card[group][at_(S, hand->have[group]++, CARDS$)] = (int16_t)card;
}

static void supply$(const V *stock, const Hand$ *hand, V *supply) {
  memcpy(supply, stock, KINDS$ * sizeof *supply);
  for (int g = 0; g < GROUPS$; g++)
    for (int k = 0; k < KINDS$; k++) supply[k] += STANDS$[g * KINDS$ + k] * hand->have[g];
}

/* What remains of a need after cards, each pair of it and the cards used once; those that the stock can pay become ways. */
static int covered$(RsState *S, const Wanted$ *need, const V *stock, const Hand$ *hand, Way$ *ways, int n, int any) {
  Cover$ cover[COVERED$];
  int covers = 1;
  memset(&cover[0], 0, sizeof cover[0]);
  memcpy(cover[0].a, need->a, KINDS$ * sizeof *need->a);
  for (int i = 0; i < covers; i++) {
    FUEL(S, covers + 1);
    if (leaner$(cover[i].a, stock, KINDS$)) {
      if (any) return 1;
      n = found$(S, &cover[i], need->a[KINDS$], ways, n);
    }
    for (int m = 0; m < MEETS$; m++) {
      int group = MEETING$[m];
      const int16_t *met = MET$ + m * KINDS$;
      if (group < 0 || cover[i].a[KINDS$ + group] >= hand->have[group]) continue;
      Cover$ more = cover[i];
      int fits = 1, known = 0;
      for (int k = 0; k < KINDS$; k++) if ((more.a[k] -= met[k]) < 0) fits = 0;
      if (!fits) continue;
      more.a[KINDS$ + group]++;
      for (int j = 0; j < covers && !known; j++) known = !memcmp(&cover[j], &more, sizeof more);
      if (known) continue;
      if (covers >= COVERED$) full(S);
      cover[covers++] = more;
    }
  }
  return n;
}

/* The ways to pay one of some prices, in no order; with `any` whether there is one. */
static int paid$(RsState *S, const Bag$ *prices, int many, const V *stock, const Hand$ *hand, V rate, V lot, Way$ *ways, int any) {
  Wanted$ wanted[MOST$];
  Conversion$ c = {.rate = rate, .lot = lot, .wanted = wanted};
  int n = 0;
  if (lot < 1 || rate > PIECES$ || lot > PIECES$) fault(S);
  supply$(stock, hand, c.limits);
  for (int i = 0; i < many; i++) {
    memcpy(c.need, prices[i].a, sizeof c.need);
    swap$(S, &c, 0, 0);
  }
  for (int i = 0; i < c.n; i++) { /* those that hold no other one */
    int lean = 1;
    FUEL(S, c.n);
    for (int j = 0; j < c.n && lean; j++) lean = j == i || !leaner$(wanted[j].a, wanted[i].a, KINDS$ + 1);
    if (lean) n = covered$(S, &wanted[i], stock, hand, ways, n, any);
    if (any && n) return 1;
  }
  return n;
}

static void few$(RsState *S, const V *bag) {
  for (int k = 0; k < KINDS$; k++) if (bag[k] < 0 || bag[k] > PIECES$) fault(S);
}

static int payable$(RsState *S, const Bag$ *prices, int many, const V *stock, const Hand$ *hand, V rate, V lot) {
  Bag$ left[many + 1];
  V supply[KINDS$], cards = 0;
  int n = 0;
  few$(S, stock);
  for (int i = 0; i < many; i++) few$(S, prices[i].a);
  for (int g = 0; g < GROUPS$; g++) cards += hand->have[g];
  if (lot < 1 || rate > PIECES$ || lot > PIECES$) fault(S);
  supply$(stock, hand, supply);
  for (int i = 0; i < many; i++) {
    if (enough$(prices[i].a, stock, rate, lot)) return 1;
    if (enough$(prices[i].a, supply, rate, lot)) left[n++] = prices[i];
  }
  return n && cards ? paid$(S, left, n, stock, hand, rate, lot, 0, 1) : 0;
}

/* Whether a way comes before another: by what is paid from the stock, then by the cards. */
static int before$(const Way$ *a, const Way$ *b) {
  for (int k = 0; k < KINDS$; k++) if (a->cover.a[k] != b->cover.a[k]) return a->cover.a[k] < b->cover.a[k];
  for (int i = 0; i < a->cards && i < b->cards; i++) if (a->card[i] != b->card[i]) return a->card[i] < b->card[i];
  return a->cards < b->cards;
}

static int payments$(RsState *S, const Bag$ *prices, int many, const V *stock, const Hand$ *hand, V rate, V lot, Way$ *ways) {
  few$(S, stock);
  int choice = many > 1 || rate > 0, n = 0;
  for (int i = 0; i < many; i++) few$(S, prices[i].a);
  for (int g = 0; g < GROUPS$; g++) choice |= SEVERAL$[g] && hand->have[g];
  int all = paid$(S, prices, many, stock, hand, rate, lot, ways, 0);
  uint8_t lean[MOST$];
  for (int i = 0; i < all; i++) {
    lean[i] = 1;
    FUEL(S, all);
    for (int j = 0; choice && j < all && lean[i]; j++)
      lean[i] = j == i || !leaner$(ways[j].cover.a, ways[i].cover.a, KINDS$ + GROUPS$);
  }
  for (int i = 0; i < all; i++) {
    if (!lean[i]) continue;
    Way$ way = ways[i];
    way.cards = 0;
    for (int g = 0; g < GROUPS$; g++)
      for (V k = 0; k < way.cover.a[KINDS$ + g]; k++) {
        int16_t card = hand->card[g][k];
        int j = way.cards++;
        for (; j > 0 && way.card[j - 1] > card; j--) way.card[j] = way.card[j - 1];
        way.card[j] = card;
      }
    int j = n++;
    for (; j > 0 && before$(&way, &ways[j - 1]); j--) ways[j] = ways[j - 1];
    ways[j] = way;
  }
  return n;
}
