"""Pure game logic: rules, trees, scores and symmetry of m,n,k and Connect-k games.

No files, no printing, no clock, no global random state.

Glossary (one meaning each, here and in the tables, SQL, command line and docs)
-------------------------------------------------------------------------------
game            rules plus board, named ``COLUMNSxROWSkRUN[-gravity][-misere]``
cell            x + columns * y: row by row, cell 0 at the top left
move            the cell that gets filled; legal moves are listed in ascending order
position        which cells hold circle and cross: two masks, bit i = cell i
node            one place in the full tree: a position with the way that led there
class           positions that are images of each other under the board's symmetries
representative  the member of a class with the smallest position number
ply             number of marks on the board
status          playing, circle (has won), cross (has won) or draw
turn            circle or cross; nobody when the position is finished
score           minimax value from circle's view: +1, 0, -1
score_sv        shortest-victory score from circle's view: quicker wins count more
score_svrd      score_sv with the draws told apart by the chances that are left below them
distance        plies to the end when the winner hurries and the loser delays
best move       legal move whose child has the best score for the mover
critical        unfinished, and at least one legal move is not a best move
AI              anything that maps a position to candidate moves
candidate       a move that an AI may choose; it plays one of them uniformly at random
value           what an AI thinks a move is worth, from the mover's view
blunder         a candidate that is not a best move

Modules, each standing on those above it
----------------------------------------
game       the rules, one position at a time
text       text and drawings of positions
symmetry   the symmetries of a board and the images of masks and moves
boards     how a board can be stored: a package of its own
estimate   how big a tree would be, before anybody builds it
arrays     the rules again, on arrays of positions
positions  every reachable position and its moves, ply by ply
classes    positions up to symmetry
solve      scores, distances, best moves and random play by backward induction
tree       what both tree builders return
tree_bfs   the full tree breadth first
tree_dfs   the full tree depth first
minimax    the scores a second way: plain recursion over the full tree
ais        every AI: a package of its own
graph      positions by number, as they are met on a board: for searches
search     every search: a package of its own
policy     what an AI makes of every position, as arrays
arena      AI against AI, game by game on a board
matches    AI against AI, on arrays of all positions
"""
