"""Games of tricks in which somebody undertakes something, as the oracle knows them; and all that it knows."""

from __future__ import annotations

from .card_games import JASS, SHORT
from .cards import HONOURS, NONE, SUITS, Answers, Asked, Cards, Deal, counting, rank, ranked, suit, told


class Contract(Cards):
    """Who bids most must make it."""

    bidding, trumps = "auction", "chosen"

    def declares(self, deal: Deal, player: int) -> bool:
        """Whether a player is on the declarer's side."""
        assert deal.declarer is not None
        return self.allied(deal, player, deal.declarer)


class DoublePinochle(Contract):
    """Each card is there twice."""

    ranks = ranked("nine jack queen king ten ace")
    values = counting(king=1, ten=1, ace=1)
    must_trump, overtakes, bids = True, "always", (10, 50)

    def score(self, deal: Deal, player: int) -> int:
        made = self.points_of(deal, player) + 2 * self.last_by(deal, player)
        return (deal.contract if made >= deal.contract else -deal.contract) * self.declares(deal, player)


class FirstCardTrumps(Contract):
    """The declarer leads, and his first card makes trumps."""

    partners, trumps = False, ""

    def bid(self, deal: Deal) -> Answers:
        yield from super().bid(deal)
        assert deal.declarer is not None
        deal.leader = deal.declarer

    def played(self, deal: Deal, card: str) -> None:
        deal.trump = deal.trump or suit(card)


class Nap(FirstCardTrumps):
    """Five cards each."""

    bids = (1, 5)

    def score(self, deal: Deal, player: int) -> int:
        if player != deal.declarer:
            return 0
        return deal.contract if deal.tricks[player] >= deal.contract else -deal.contract


class Pitch(FirstCardTrumps):
    """High, low, jack and game."""

    bids = (2, 4)
    values = counting(ten=10, jack=1, queen=2, king=3, ace=4)

    def legal(self, deal: Deal, player: int) -> set[str]:
        trumps = {card for card in deal.hands[player] if deal.trick and self.is_trump(deal, card)}
        return super().legal(deal, player) | trumps

    def score(self, deal: Deal, player: int) -> int:
        trumps = sorted(
            (self.strength(deal, card), owner)
            for owner, cards in enumerate(deal.taken)
            for card in cards
            if self.is_trump(deal, card)
        )
        points = [self.points_of(deal, other) for other in range(self.players)]
        made = (trumps[0][1] == player) + (trumps[-1][1] == player)
        made += f"{deal.trump}_jack" in deal.taken[player]
        made += points[player] == max(points) and points.count(max(points)) == 1
        return -deal.contract if player == deal.declarer and made < deal.contract else made


class Kaiser(Contract):
    """A five and a three among the tricks."""

    ranks = ("three", "five", *SHORT)
    bids = (6, 12)

    def score(self, deal: Deal, player: int) -> int:
        taken = {card for other in self.side(deal, player) for card in deal.taken[other]}
        made = self.tricks_of(deal, player) + 5 * ("hearts_five" in taken) - 3 * ("spades_three" in taken)
        return -deal.contract if self.declares(deal, player) and made < deal.contract else made


class TwentyNine(Contract):
    """Jack and nine are highest."""

    ranks = ranked("seven eight queen king ten ace nine jack")
    values = counting(ace=1, ten=1, nine=2, jack=3)
    bids = (15, 28)

    def score(self, deal: Deal, player: int) -> int:
        if not self.declares(deal, player):
            return 0
        return 1 if self.points_of(deal, player) + self.last_by(deal, player) >= deal.contract else -1


class ContractWhist(Contract):
    """Seven levels of four suits and none."""

    trumps, bids = "", (1, 35)

    def bid(self, deal: Deal) -> Answers:
        yield from super().bid(deal)
        assert deal.declarer is not None
        strain = (deal.contract - 1) % 5
        deal.trump = SUITS[strain] if strain < 4 else None
        deal.leader = (deal.declarer + 1) % 4

    def score(self, deal: Deal, player: int) -> int:
        level, over = (deal.contract - 1) // 5 + 1, self.tricks_of(deal, player) - 6
        return 0 if not self.declares(deal, player) else level if over >= level else over - level


class CourtPiece(Cards):
    """Seven tricks win."""

    trumps = "chosen"

    def score(self, deal: Deal, player: int) -> int:
        return {13: 3}.get(self.tricks_of(deal, player), int(self.tricks_of(deal, player) >= 7))


class ThreeFiveEight(Cards):
    """Three; the dealer takes four cards more."""

    partners, trumps = False, "chosen"

    def namer(self, deal: Deal) -> int:
        return deal.dealer

    def name_trumps(self, deal: Deal) -> Answers:
        yield from super().name_trumps(deal)
        self.draw(deal)
        deal.hands[deal.dealer] -= set((yield from self.picked(deal.dealer, deal.hands[deal.dealer], 4)))

    def score(self, deal: Deal, player: int) -> int:
        return deal.tricks[player] - (8, 5, 3)[(player - deal.dealer) % 3]


class NinetyNine(Cards):
    """Three cards say how many tricks."""

    partners, trumps, ranks = False, "diamonds", JASS

    def bid(self, deal: Deal) -> Answers:
        said = {"clubs": 3, "diamonds": 0, "hearts": 2, "spades": 1}
        for player in range(3):
            cards = yield from self.picked(player, deal.hands[player], 3)
            deal.hands[player] -= set(cards)
            deal.bids[player] = sum(said[suit(card)] for card in cards)

    def score(self, deal: Deal, player: int) -> int:
        right = [made == bid for made, bid in zip(deal.tricks, deal.bids, strict=True)]
        return deal.tricks[player] + right[player] * {1: 30, 2: 20, 3: 10}.get(sum(right), 0)


class Euchre(Cards):
    """Bowers are highest; the suit that is turned up may be named, or another one."""

    ranks = ranked("nine ten jack queen king ace")
    trumps = ""
    alone = False

    def bower(self, deal: Deal, card: str) -> bool:
        """Whether a card is the other jack of the colour."""
        pairs = ({"clubs", "spades"}, {"diamonds", "hearts"})
        return rank(card) == "jack" and suit(card) != deal.trump and {suit(card), deal.trump} in pairs

    def is_trump(self, deal: Deal, card: str) -> bool:
        return super().is_trump(deal, card) or self.bower(deal, card)

    def strength(self, deal: Deal, card: str) -> int:
        return 99 if self.bower(deal, card) else 100 if card == f"{deal.trump}_jack" else super().strength(deal, card)

    def bid(self, deal: Deal) -> Answers:
        deal.turned = self.table()["turned"][0]
        up = suit(deal.turned)
        for n, player in enumerate([*self.seats(0), *self.seats(0)]):
            legal = {up} if n < 4 else set(SUITS) - {up}
            named = yield Asked(player, frozenset(legal | ({NONE} if n < 7 else set())))
            if named != NONE:
                deal.trump, deal.declarer = named, player
                if n < 4:
                    deal.hands[3].remove((yield Asked(3, frozenset(deal.hands[3]))))
                    deal.hands[3].add(deal.turned)
                self.alone = (yield Asked(player, frozenset({"yes", "no"}))) == "yes"
                if self.alone:
                    deal.hands[(player + 2) % 4] = set()
                    deal.leader = next(one for one in self.seats(0) if deal.hands[one])
                return

    def score(self, deal: Deal, player: int) -> int:
        assert deal.declarer is not None
        made = self.tricks_of(deal, deal.declarer)
        stake = -2 if made < 3 else 1 if made < 5 else 4 if self.alone else 2
        return stake if self.allied(deal, player, deal.declarer) else -stake


class Dummy(Cards):
    """The declarer plays the hand of his partner, which lies open after the first card."""

    trumps = "spades"

    def play(self, deal: Deal) -> Answers:
        deal.trick, tricks = [], super().play(deal)
        answer = None
        while True:
            try:
                asked = tricks.send(answer) if answer else next(tricks)
            except StopIteration:
                return
            answer = yield Asked(deal.dealer, asked.legal) if asked.player == (deal.dealer + 2) % 4 else asked

    def score(self, deal: Deal, player: int) -> int:
        over = self.tricks_of(deal, player) - 6
        return (over if over >= 4 else over - 4) if self.allied(deal, player, deal.dealer) else 0


class CallAnAce(Cards):
    """Queens and jacks are trumps; the holder of an ace is the partner."""

    partners, trumps = False, "hearts"
    ranks = ranked("seven eight nine king ten ace jack queen")
    values = HONOURS | counting(jack=2, queen=3)
    called = ""
    mate: int | None = None

    def is_trump(self, deal: Deal, card: str) -> bool:
        return super().is_trump(deal, card) or rank(card) in {"jack", "queen"}

    def strength(self, deal: Deal, card: str) -> int:
        if rank(card) not in {"jack", "queen"}:
            return super().strength(deal, card)
        return 100 + 10 * (rank(card) == "queen") + ("diamonds", "hearts", "spades", "clubs").index(suit(card))

    def bid(self, deal: Deal) -> Answers:
        deal.declarer = deal.leader
        hand = deal.hands[deal.leader]
        plain = {suit(card) for card in hand if not self.is_trump(deal, card)}
        aces = {f"{one}_ace" for one in plain if f"{one}_ace" not in hand}
        self.called = yield Asked(deal.leader, frozenset(aces | {NONE}))

    def legal(self, deal: Deal, player: int) -> set[str]:
        due = bool(deal.trick) and self.kind(deal, deal.trick[0][1]) == suit(self.called)
        return {self.called} if due and self.called in deal.hands[player] else super().legal(deal, player)

    def played(self, deal: Deal, card: str) -> None:
        if card == self.called:
            self.mate = deal.trick[-1][0]

    def allied(self, deal: Deal, a: int, b: int) -> bool:
        return (a in (deal.declarer, self.mate)) == (b in (deal.declarer, self.mate))

    def score(self, deal: Deal, player: int) -> int:
        need = 61 if player in (deal.declarer, self.mate) else 60
        return 1 if self.points_of(deal, player) >= need else -1


class Tasks(Cards):
    """All must take what each has promised."""

    partners, trumps, ranks = False, "spades", JASS

    def bid(self, deal: Deal) -> Answers:
        self.promised = list[tuple[int, str]]()
        for _ in range(3):
            seat = yield Asked(deal.leader, frozenset(f"p{player + 1}" for player in range(self.players)))
            (card,) = set(self.table()[f"promised.{seat}"]) - {card for _, card in self.promised}
            assert suit(card) != "spades", "tasks are no trumps"
            self.promised.append((int(seat[1:]) - 1, card))

    def verdict(self, deal: Deal) -> int:
        """1: all is taken as promised; -1: something by another; 0: it goes on."""
        owner = {card: player for player, cards in enumerate(deal.taken) for card in cards}
        if any(owner.get(card, player) != player for player, card in self.promised):
            return -1
        return int(all(card in owner for _, card in self.promised))

    def over(self, deal: Deal) -> bool:
        return bool(self.verdict(deal))

    def score(self, deal: Deal, player: int) -> int:  # noqa: ARG002
        return self.verdict(deal)


def known(cls: type[Cards]) -> dict[str, type[Cards]]:
    """A class and all that are made from it, by the names of the games."""
    found = {told(cls.__name__): cls}
    for below in cls.__subclasses__():
        found |= known(below)
    return found


ORACLES = known(Cards)
