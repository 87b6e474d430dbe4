"""Games of tricks without an auction, as the oracle knows them: what each changes of whist."""

from __future__ import annotations

from .cards import HONOURS, RANKS, Answers, Asked, Cards, Deal, Table, counting, rank, ranked, suit

SHORT = ranked("seven eight nine ten jack queen king ace")
JASS = ranked("six seven eight nine ten jack queen king ace")
QUEEN, KING, ACE = "spades_queen", "spades_king", "spades_ace"


class WhistFamily(Cards):
    """The base of the family is whist itself."""


class GermanWhist(Cards):
    """Two; the upper card of the stock is played for."""

    trumps = "turned"

    def after_trick(self, deal: Deal) -> None:
        if deal.turned:
            deal.tricks = [0, 0]
            deal.hands[deal.taker].add(deal.turned)
            self.draw(deal)
            deal.turned = next(iter(self.table()["turned"]), None)

    def score(self, deal: Deal, player: int) -> int:
        return deal.tricks[player]


class OhHell(Cards):
    """Each says how many tricks he will take."""

    partners, trumps, bidding, bids = False, "turned", "each", (0, 5)

    def may_bid(self, deal: Deal, player: int, number: int) -> bool:
        return player != deal.dealer or sum(deal.bids) + number != len(deal.hands[player])

    def score(self, deal: Deal, player: int) -> int:
        return deal.tricks[player] + 10 * (deal.tricks[player] == deal.bids[player])


class OhHellWithPenalties(OhHell):
    """A miss costs as many as it is wrong by."""

    def score(self, deal: Deal, player: int) -> int:
        wrong = abs(deal.tricks[player] - deal.bids[player])
        return -wrong if wrong else deal.tricks[player] + 10


class OhHellRising(OhHell):
    """Seven deals of one to seven cards."""

    deals = 7

    def prepare(self, deal: Deal) -> Answers:
        assert {len(hand) for hand in deal.hands} == {self.number}
        self.bids = 0, self.number  # type: ignore[misc]
        yield from super().prepare(deal)


class Spades(Cards):
    """Spades are trumps, and nobody leads them before one was played."""

    trumps, bidding = "spades", "each"
    broken = False

    def may_bid(self, deal: Deal, player: int, number: int) -> bool:
        return sum(deal.bids[other] for other in self.side(deal, player)) + number <= 13

    def leads(self, deal: Deal, player: int) -> set[str]:
        hand = deal.hands[player]
        return hand if self.broken else {card for card in hand if suit(card) != "spades"} or hand

    def played(self, deal: Deal, card: str) -> None:
        self.broken |= self.is_trump(deal, card)

    def score(self, deal: Deal, player: int) -> int:
        side = self.side(deal, player)
        bid, made = sum(deal.bids[one] for one in side), self.tricks_of(deal, player)
        nils = sum(-100 if deal.tricks[one] else 100 for one in side if deal.bids[one] == 0)
        if made < bid:
            return nils - 10 * bid
        return nils + 10 * bid + (made - bid) - (100 if made - bid >= 10 else 0)


class CutthroatSpades(Spades):
    """Three, each for himself."""

    partners, bids = False, (0, 17)

    def may_bid(self, deal: Deal, player: int, number: int) -> bool:  # noqa: ARG002
        return number <= 17


class Penalties(Cards):
    """Cards cost their values."""

    partners, trumps = False, ""

    def score(self, deal: Deal, player: int) -> int:
        return -self.points_of(deal, player)


class HeartsWithoutPassing(Penalties):
    """Hearts cost 1 each, the queen of spades 13."""

    broken = False

    def value(self, deal: Deal, card: str) -> int:  # noqa: ARG002
        return 13 if card == QUEEN else int(suit(card) == "hearts")

    def prepare(self, deal: Deal) -> Answers:
        yield from super().prepare(deal)
        (deal.leader,) = (player for player, hand in enumerate(deal.hands) if "clubs_two" in hand)

    def legal(self, deal: Deal, player: int) -> set[str]:
        hand, legal = deal.hands[player], super().legal(deal, player)
        if "clubs_two" in hand and not deal.trick:
            return {"clubs_two"}
        if not deal.trick and not self.broken:
            return {card for card in hand if suit(card) != "hearts"} or hand
        if len(hand) == 13:
            return {card for card in legal if suit(card) != "hearts" and card != QUEEN} or legal
        return legal

    def played(self, deal: Deal, card: str) -> None:  # noqa: ARG002
        self.broken |= suit(card) == "hearts" or card == QUEEN

    def score(self, deal: Deal, player: int) -> int:
        taken = [self.points_of(deal, other) for other in range(4)]
        return (0 if taken[player] == 26 else -26) if 26 in taken else -taken[player]


class Passing(Cards):
    """Three cards are passed before the play."""

    to = 1

    def bid(self, deal: Deal) -> Answers:
        passed = list[list[str]]()
        for player, hand in enumerate(deal.hands):
            passed.append((yield from self.picked(player, hand, 3)))
        for player, cards in enumerate(passed):
            deal.hands[player] -= set(cards)
        for player, cards in enumerate(passed):
            deal.hands[(player + self.to) % self.players] |= set(cards)


class Hearts(Passing, HeartsWithoutPassing):
    """Three cards go to the left."""


class OmnibusHearts(Hearts):
    """The jack of diamonds is worth ten."""

    def score(self, deal: Deal, player: int) -> int:
        return super().score(deal, player) + 10 * ("diamonds_jack" in deal.taken[player])


class SpotHearts(HeartsWithoutPassing):
    """A heart costs what is on it."""

    def value(self, deal: Deal, card: str) -> int:  # noqa: ARG002
        return 25 if card == QUEEN else (RANKS.index(rank(card)) + 2) * (suit(card) == "hearts")

    def score(self, deal: Deal, player: int) -> int:
        return -self.points_of(deal, player)


class ChaseThePig(HeartsWithoutPassing):
    """The pig is the queen of spades."""

    def legal(self, deal: Deal, player: int) -> set[str]:
        return Cards.legal(self, deal, player)

    def value(self, deal: Deal, card: str) -> int:  # noqa: ARG002
        if suit(card) == "hearts":
            return {"two": 0, "three": 0, "jack": 20, "queen": 30, "king": 40, "ace": 50}.get(rank(card), 10)
        return {QUEEN: 100, "diamonds_jack": -100}.get(card, 0)

    def score(self, deal: Deal, player: int) -> int:
        return -self.points_of(deal, player) * (2 if "clubs_ten" in deal.taken[player] else 1)


class BlackMaria(Passing, Penalties):
    """Three, to the right."""

    to = 2

    def value(self, deal: Deal, card: str) -> int:  # noqa: ARG002
        return {QUEEN: 13, KING: 10, ACE: 7}.get(card, int(suit(card) == "hearts"))


class Reversis(Penalties):
    """Without tens."""

    ranks = tuple(one for one in RANKS if one != "ten")
    values = counting(jack=1, queen=2, king=3, ace=4)


class Polignac(Penalties):
    """Jacks cost."""

    ranks = SHORT

    def value(self, deal: Deal, card: str) -> int:  # noqa: ARG002
        return (rank(card) == "jack") + (card == "spades_jack")


class Slobberhannes(Penalties):
    """The first trick, the last one, and a queen."""

    ranks = SHORT
    first: int | None = None

    def after_trick(self, deal: Deal) -> None:
        self.first = deal.taker if self.first is None else self.first

    def score(self, deal: Deal, player: int) -> int:
        faults = (self.first == player) + (deal.taker == player) + ("clubs_queen" in deal.taken[player])
        return -4 if faults == 3 else -faults


class Knaves(Cards):
    """Three; a trick counts, a jack costs."""

    partners, trumps = False, "turned"

    def score(self, deal: Deal, player: int) -> int:
        fines = {"hearts_jack": 4, "diamonds_jack": 3, "clubs_jack": 2, "spades_jack": 1}
        return deal.tricks[player] - sum(fines.get(card, 0) for card in deal.taken[player])


class CatchTheTen(Cards):
    """Trumps count, and so do cards beyond eighteen."""

    ranks = JASS
    trump_ranks = ranked("six seven eight nine ten queen king ace jack")

    def value(self, deal: Deal, card: str) -> int:
        return {"jack": 11, "ten": 10, "ace": 4, "king": 3, "queen": 2}.get(rank(card), 0) * self.is_trump(deal, card)

    def score(self, deal: Deal, player: int) -> int:
        cards = sum(len(deal.taken[other]) for other in self.side(deal, player))
        return self.points_of(deal, player) + max(cards - 18, 0)


class Sueca(Cards):
    """Seven is second to the ace."""

    ranks = ranked("two three four five six queen jack king seven ace")
    values = counting(queen=2, jack=3, king=4, seven=10, ace=11)

    def score(self, deal: Deal, player: int) -> int:
        points = self.points_of(deal, player)
        return 4 if self.tricks_of(deal, player) == 10 else (points > 60) + (points > 90)


class Stock(Cards):
    """Two draw after each trick, the last one the card of trumps."""

    partners, trumps = False, "turned"

    def after_trick(self, deal: Deal) -> None:
        self.draw(deal)
        if deal.turned and deal.turned not in self.table()["turned"]:
            assert deal.turned in deal.hands[1 - deal.taker], (
                "who has lost the last of these tricks draws the card of trumps"
            )
            deal.turned = None


class Briscola(Stock):
    """No suit is followed."""

    follows = False
    ranks = ranked("two four five six seven jack queen king three ace")
    values = counting(jack=2, queen=3, king=4, three=10, ace=11)

    def score(self, deal: Deal, player: int) -> int:
        return int(self.points_of(deal, player) > 60)


class SixtySix(Stock):
    """Without a stock the trick must be taken."""

    ranks = ranked("nine jack queen king ten ace")
    values, must_trump, overtakes = HONOURS, True, "always"

    def legal(self, deal: Deal, player: int) -> set[str]:
        return deal.hands[player] if deal.turned else super().legal(deal, player)

    def score(self, deal: Deal, player: int) -> int:
        return int(self.points_of(deal, player) + 10 * self.last_by(deal, player) > 65)


class TwentyCardSixtySix(SixtySix):
    """Without nines."""

    ranks = SixtySix.ranks[1:]


class Tressette(Cards):
    """Points in thirds."""

    trumps = ""
    ranks = ranked("four five six seven jack queen king ace two three")
    values = counting(jack=1, queen=1, king=1, ace=3, two=1, three=1)

    def score(self, deal: Deal, player: int) -> int:
        return (self.points_of(deal, player) + 3 * self.last_by(deal, player)) // 3


class Klaverjas(Cards):
    """Who cannot follow trumps higher."""

    trumps, must_trump, overtakes = "chosen", True, "trumps"
    ranks = ranked("seven eight nine jack queen king ten ace")
    trump_ranks = ranked("seven eight queen king ten ace nine jack")
    values = HONOURS
    trump_values = HONOURS | {"jack": 20, "nine": 14}

    def score(self, deal: Deal, player: int) -> int:
        points = self.points_of(deal, player) + 10 * self.last_by(deal, player)
        if self.allied(deal, player, (deal.dealer + 1) % 4):
            return points if points >= 82 else 0
        return points if 162 - points >= 82 else 162


class Belote(Klaverjas):
    """A partner's trick need not be trumped."""

    def legal(self, deal: Deal, player: int) -> set[str]:
        hand = deal.hands[player]
        if deal.trick and self.allied(deal, player, self.takes(deal)[0]):
            led, (_, best) = deal.trick[0][1], self.takes(deal)
            if not any(self.kind(deal, card) == self.kind(deal, led) for card in hand):
                held = {card for card in hand if self.is_trump(deal, card)}
                higher = {card for card in held if self.beats(deal, card, best)}
                return higher | (hand - held) if higher else hand
        return super().legal(deal, player)


class Jass(Cards):
    """A trump may always be played, but no lower one."""

    trumps, ranks, values = "chosen", JASS, HONOURS
    trump_ranks = ranked("six seven eight ten queen king ace nine jack")
    trump_values = HONOURS | {"jack": 20, "nine": 14}

    def legal(self, deal: Deal, player: int) -> set[str]:
        hand = deal.hands[player]
        if not deal.trick:
            return hand
        led, (_, best) = deal.trick[0][1], self.takes(deal)
        same = {card for card in hand if self.kind(deal, card) == self.kind(deal, led)}
        trumps = {card for card in hand if self.is_trump(deal, card)}
        bound = same - {f"{deal.trump}_jack"}
        legal = same | trumps if bound else set(hand)
        if not self.is_trump(deal, led) and self.is_trump(deal, best) and trumps != hand:
            legal -= {card for card in trumps if not self.beats(deal, card, best)}
        return legal

    def score(self, deal: Deal, player: int) -> int:
        return self.points_of(deal, player) + 5 * self.last_by(deal, player)


class Differenzler(Jass):
    """Each has guessed his points."""

    partners, trumps = False, "dealers_card"

    def bid(self, deal: Deal) -> Answers:
        for player in range(self.players):
            deal.bids[player] = int((yield Asked(player, frozenset(str(n) for n in range(158)))))

    def score(self, deal: Deal, player: int) -> int:
        return -abs(super().score(deal, player) - deal.bids[player])


class Agram(Cards):
    """The last trick wins."""

    partners, trumps = False, ""
    ranks = (*RANKS[1:9], "ace")

    def score(self, deal: Deal, player: int) -> int:
        return int(deal.taker == player)


class Manille(Cards):
    """The ten is highest."""

    ranks = ranked("seven eight nine jack queen king ace ten")
    values = counting(jack=1, queen=2, king=3, ace=4, ten=5)
    must_trump, overtakes = True, "always"

    def score(self, deal: Deal, player: int) -> int:
        return max(self.points_of(deal, player) + self.tricks_of(deal, player) - 34, 0)


class Ecarte(Cards):
    """Two, with five cards each."""

    partners, trumps, must_trump, overtakes = False, "turned", True, "always"
    ranks = ranked("seven eight nine ten ace jack queen king")

    def score(self, deal: Deal, player: int) -> int:
        return {3: 1, 4: 1, 5: 2}.get(deal.tricks[player], 0)


class LingerLonger(Cards):
    """Who takes a trick draws a card."""

    partners, trumps = False, "turned"

    def after_trick(self, deal: Deal) -> None:
        self.draw(deal)
        if not self.over(deal):
            deal.leader = next(player for player in self.seats(deal.taker) if deal.hands[player])

    def over(self, deal: Deal) -> bool:
        return sum(map(bool, deal.hands)) <= 1

    def score(self, deal: Deal, player: int) -> int:
        return int(bool(deal.hands[player]))


class KnockoutWhist(Cards):
    """Who takes no trick is out."""

    partners, trumps, deals = False, "turned", 7
    most: int | None = None

    def __init__(self, table: Table, players: int) -> None:
        super().__init__(table, players)
        self.left = set(range(self.players))

    def prepare(self, deal: Deal) -> Answers:
        assert [len(hand) for hand in deal.hands] == [(8 - self.number) * (p in self.left) for p in range(self.players)]
        yield from super().prepare(deal)
        if self.most is not None:
            deal.leader = self.most
            yield from self.name_trumps(deal)

    def score(self, deal: Deal, player: int) -> int:  # noqa: ARG002
        return int(self.left == {player})

    def over(self, deal: Deal) -> bool:
        if not super().over(deal):
            return False
        self.left = {player for player in self.left if deal.tricks[player]}
        self.most = deal.tricks.index(max(deal.tricks))
        return True

    def next_dealer(self, deal: Deal) -> int:  # noqa: ARG002
        assert self.most is not None
        return self.most

    def ended(self, deal: Deal) -> bool:  # noqa: ARG002
        return len(self.left) == 1
