"""An oracle of card games of tricks: plain Python on names of cards, written apart from the engine and from the rules as data.

A game is played as a generator: it yields who is asked and what he may answer, gets the answer, and returns what each has scored.
What chance has dealt it reads from the table, where it is told which cards lie in which zone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar, NamedTuple

SUITS = ("clubs", "diamonds", "hearts", "spades")
NONE = "none"


def ranked(ranks: str) -> tuple[str, ...]:
    """Ranks by their names, from the lowest to the highest."""
    return tuple(ranks.split())


def counting(**values: int) -> dict[str, int]:
    """What ranks count; the others nothing."""
    return values


RANKS = ranked("two three four five six seven eight nine ten jack queen king ace")
HONOURS = counting(jack=2, queen=3, king=4, ten=10, ace=11)

Table = Callable[[], dict[str, list[str]]]  # which cards lie in which zone now


class Asked(NamedTuple):
    """Who is asked, and all that he may answer."""

    player: int
    legal: frozenset[str]


Answers = Generator[Asked, str, None]
Whole = Generator[Asked, str, list[int]]


def suit(card: str) -> str:
    """The suit that is printed on a card."""
    return card.split("_")[0]


def rank(card: str) -> str:
    """The rank that is printed on a card."""
    return card.split("_")[1]


@dataclass
class Deal:
    """What is on the table in one deal."""

    hands: list[set[str]]
    dealer: int
    leader: int = 0
    trump: str | None = None
    turned: str | None = None
    declarer: int | None = None
    contract: int = 0
    bids: list[int] = field(default_factory=list)
    trick: list[tuple[int, str]] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=list)  # by each, card by card
    tricks: list[int] = field(default_factory=list)
    taker: int = 0

    def __post_init__(self) -> None:
        self.bids, self.tricks = [0] * len(self.hands), [0] * len(self.hands)
        self.taken = [[] for _ in self.hands]


class Cards:
    """Whist; its parameters and its parts are what the other games change."""

    ranks: ClassVar[tuple[str, ...]] = RANKS
    trump_ranks: ClassVar[tuple[str, ...]] = ()
    values: ClassVar[dict[str, int]] = {}
    trump_values: ClassVar[dict[str, int]] = {}
    partners: ClassVar[bool] = True
    trumps: ClassVar[str] = "dealers_card"
    follows: ClassVar[bool] = True
    must_trump: ClassVar[bool] = False
    overtakes: ClassVar[str] = "never"
    bidding: ClassVar[str] = ""
    bids: ClassVar[tuple[int, int]] = (0, 13)
    deals: ClassVar[int] = 1

    def __init__(self, table: Table, players: int) -> None:
        self.table, self.players = table, players
        self.number = 0
        self.scores = [0] * self.players

    # --- what there is --------------------------------------------------------------------------------------------------
    def seats(self, first: int) -> list[int]:
        """All players, beginning with one."""
        return [(first + n) % self.players for n in range(self.players)]

    def allied(self, deal: Deal, a: int, b: int) -> bool:  # noqa: ARG002
        """Whether two play together."""
        return a == b or (self.partners and (a - b) % 2 == 0)

    def is_trump(self, deal: Deal, card: str) -> bool:
        """Whether a card is a trump."""
        return suit(card) == deal.trump

    def kind(self, deal: Deal, card: str) -> str:
        """What must be followed to: trumps are one suit."""
        return "trumps" if self.is_trump(deal, card) else suit(card)

    def strength(self, deal: Deal, card: str) -> int:
        """How high a card is among those of its kind."""
        ranks = self.trump_ranks if self.trump_ranks and self.is_trump(deal, card) else self.ranks
        return ranks.index(rank(card))

    def beats(self, deal: Deal, card: str, other: str) -> bool:
        """Whether a later card takes the trick from an earlier one."""
        if self.kind(deal, card) == self.kind(deal, other):
            return self.strength(deal, card) > self.strength(deal, other)
        return self.is_trump(deal, card)

    def value(self, deal: Deal, card: str) -> int:
        """What a card counts."""
        return (self.trump_values if self.trump_values and self.is_trump(deal, card) else self.values).get(
            rank(card), 0
        )

    def order(self, cards: Iterable[str]) -> list[str]:
        """Cards by suit and rank, as a choice of several goes through them."""
        return sorted(cards, key=lambda card: (SUITS.index(suit(card)), self.ranks.index(rank(card)), card))

    # --- what is counted ------------------------------------------------------------------------------------------------
    def side(self, deal: Deal, player: int) -> list[int]:
        """Who plays together with a player, himself among them."""
        return [other for other in range(self.players) if self.allied(deal, player, other)]

    def tricks_of(self, deal: Deal, player: int) -> int:
        """How many tricks his side has taken."""
        return sum(deal.tricks[other] for other in self.side(deal, player))

    def points_of(self, deal: Deal, player: int) -> int:
        """What the cards count that his side has taken."""
        return sum(self.value(deal, card) for other in self.side(deal, player) for card in deal.taken[other])

    def last_by(self, deal: Deal, player: int) -> bool:
        """Whether his side took the last trick."""
        return deal.taker in self.side(deal, player)

    def score(self, deal: Deal, player: int) -> int:
        """What a deal scores for a player."""
        return max(self.tricks_of(deal, player) - 6, 0)

    # --- playing --------------------------------------------------------------------------------------------------------
    def whole(self) -> Whole:
        """All deals."""
        dealer = self.players - 1
        for number in range(1, self.deals + 1):
            self.number = number
            deal = self.dealt(dealer)
            yield from self.prepare(deal)
            while not self.over(deal):
                yield from self.play(deal)
            self.scores = [had + self.score(deal, player) for player, had in enumerate(self.scores)]
            dealer = self.next_dealer(deal)
            if self.ended(deal):
                break
        return self.scores

    def dealt(self, dealer: int) -> Deal:
        """What the table shows after a deal."""
        zones = self.table()
        hands = [set(zones[f"hand.p{player + 1}"]) for player in range(self.players)]
        return Deal(hands, dealer, leader=(dealer + 1) % self.players, turned=next(iter(zones["turned"]), None))

    def prepare(self, deal: Deal) -> Answers:
        """Trumps and bids."""
        match self.trumps:
            case "dealers_card":
                deal.trump = self.shown_trump(deal)
            case "turned":
                assert deal.turned
                deal.trump = suit(deal.turned)
            case fixed if fixed in SUITS:
                deal.trump = fixed
        yield from self.bid(deal)
        if self.trumps == "chosen":
            yield from self.name_trumps(deal)

    def shown_trump(self, deal: Deal) -> str:
        """The suit of the card that the dealer has shown, which the table says."""
        (said,) = self.table()["trump"]
        assert any(suit(card) == said for card in deal.hands[deal.dealer])
        return said

    def namer(self, deal: Deal) -> int:
        """Who names trumps."""
        return deal.leader if deal.declarer is None else deal.declarer

    def name_trumps(self, deal: Deal) -> Answers:
        """Trumps are named."""
        deal.trump = yield Asked(self.namer(deal), frozenset(SUITS))

    def may_bid(self, deal: Deal, player: int, number: int) -> bool:  # noqa: ARG002
        """Whether a bid is allowed where each bids."""
        return True

    def bid(self, deal: Deal) -> Answers:
        """Each bids once, or they outbid each other until one is left, or nobody bids."""
        low, high = self.bids
        if self.bidding == "each":
            for player in self.seats((deal.dealer + 1) % self.players):
                legal = {str(n) for n in range(low, high + 1) if self.may_bid(deal, player, n)}
                deal.bids[player] = int((yield Asked(player, frozenset(legal))))
        if self.bidding == "auction":
            left = self.seats((deal.dealer + 1) % self.players)
            while len(left) > 1 or deal.declarer is None:
                player = left.pop(0)
                legal = {str(n) for n in range(max(low, deal.contract + 1), high + 1)} | ({NONE} if left else set())
                answer = yield Asked(player, frozenset(legal))
                if answer != NONE:
                    deal.contract, deal.declarer = int(answer), player
                    left.append(player)

    def over(self, deal: Deal) -> bool:
        """Whether the deal has been played."""
        return not deal.hands[deal.leader]

    def takes(self, deal: Deal) -> tuple[int, str]:
        """Who takes the trick as it stands, and by which card."""
        best = deal.trick[0]
        for player, card in deal.trick[1:]:
            if self.beats(deal, card, best[1]):
                best = player, card
        return best

    def leads(self, deal: Deal, player: int) -> set[str]:
        """What may be led."""
        return deal.hands[player]

    def legal(self, deal: Deal, player: int) -> set[str]:
        """What may be played."""
        hand = deal.hands[player]
        if not deal.trick:
            return self.leads(deal, player)
        if not self.follows:
            return hand
        led, (_, best) = deal.trick[0][1], self.takes(deal)
        open_to = {card for card in hand if self.kind(deal, card) == self.kind(deal, led)}
        if not open_to and self.must_trump:
            open_to = {card for card in hand if self.is_trump(deal, card)}
        open_to = open_to or hand
        if self.overtakes == "never":
            return open_to
        held = {card for card in open_to if self.overtakes == "always" or self.is_trump(deal, card)}
        higher = {card for card in held if self.beats(deal, card, best)}
        return higher | (open_to - held) if higher else open_to

    def play(self, deal: Deal) -> Answers:
        """A trick."""
        deal.trick = []
        for player in self.seats(deal.leader):
            if deal.hands[player]:
                card = yield Asked(player, frozenset(self.legal(deal, player)))
                deal.hands[player].remove(card)
                deal.trick.append((player, card))
                self.played(deal, card)
        deal.taker, _ = self.takes(deal)
        deal.taken[deal.taker] += [card for _, card in deal.trick]
        deal.tricks[deal.taker] += 1
        deal.leader = deal.taker
        self.after_trick(deal)

    def played(self, deal: Deal, card: str) -> None:
        """What a card changes when it is played."""

    def after_trick(self, deal: Deal) -> None:
        """What follows a trick."""

    def next_dealer(self, deal: Deal) -> int:
        """Who deals next."""
        return (deal.dealer + 1) % self.players

    def ended(self, deal: Deal) -> bool:  # noqa: ARG002
        """Whether no further deal is played."""
        return False

    # --- what several games share ---------------------------------------------------------------------------------------
    def picked(self, player: int, cards: Iterable[str], several: int) -> Generator[Asked, str, list[str]]:
        """Several cards of some, one after another in their order."""
        left, chosen = self.order(cards), list[str]()
        for missing in range(several, 0, -1):
            chosen.append((yield Asked(player, frozenset(left[: len(left) - missing + 1]))))
            left = left[left.index(chosen[-1]) + 1 :]
        return chosen

    def draw(self, deal: Deal) -> None:
        """The table says what has been drawn: new cards only, and as many as it shows."""
        zones = self.table()
        for player, hand in enumerate(deal.hands):
            now = set(zones[f"hand.p{player + 1}"])
            gone = {card for one in deal.taken for card in one}
            assert hand <= now and not now & gone, "a card has been lost, or comes from nowhere"
            deal.hands[player] = now


def told(name: str) -> str:
    """The name of a class as a game's: `OhHell` is `oh_hell`."""
    letters = (f"_{letter.lower()}" if letter.isupper() and at else letter.lower() for at, letter in zip(count(), name))
    return "".join(letters)
