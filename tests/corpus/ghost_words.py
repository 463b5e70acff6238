"""Ghost: players add letters; whoever completes a word loses, and so does who has no word to aim at."""
from perfectplay import Game

WORDS = """ant ants apple bat bath bathe bee been beer cat cats cater dog dodge door tea team tear ten tent""".split()


class Ghost(Game):
    def __init__(self, words=WORDS, shortest=3):
        self.words = [word for word in words if len(word) >= shortest]
        self.shortest = shortest

    def initial(self):
        return ""

    def to_move(self, text):
        return len(text) % 2

    def actions(self, text):
        letters = []
        for word in self.words:
            if word.startswith(text) and len(word) > len(text):
                letter = word[len(text)]
                if letter not in letters:
                    letters.append(letter)
        return sorted(letters)

    def result(self, text, letter):
        return text + letter

    def is_terminal(self, text):
        return text in self.words

    def utility(self, text, player):
        # the word was completed by the player before the one to move
        return 1 if self.to_move(text) == player else -1
