/* Proves every value of a solved game, from the file that `marubatsu export GAME --raw` writes.

       cc -O2 -std=c99 -o check check.c
       marubatsu export 4x4k4 --raw | ./check -        (or ./check FILE)

   It shares nothing with the program that solved the game: it derives lines, symmetries and rows by
   itself. It goes forward from the empty board, with two plies in memory. For each row that play
   reaches, it marks the rows to which moves lead as reached, and compares values. All other rows
   must be null. Exit code 0: all values follow; 1: they do not; 2: wrong usage, file, or no memory.

   The file has the text that `read_header` shows, then for each ply the masks of its blocks, as
   cells in 64 bits, lowest byte first, and a byte for each row, in the view of the side to move:
   64 - n when it wins in n plies, n - 64 when it loses in n, 0 for a draw, 127 for null.

   Cells are counted row by row from the top left, from 0; places in the order of the file. Without
   gravity, a block is the cells of circle, and its rows are the ways to choose those of cross among
   the m others; with gravity all m filled cells, and the ways to choose those of circle. The choice
   of the cells c1 < ... < ck, counted among the m in the order of places from 0, is row C(c1, 1) +
   ... + C(ck, k) of its block. The members of a class with the greatest block (place i counts 2^i)
   are in the file, and the smallest row of them has the value. Blocks are in ascending order. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 63
#define FAIL(code, ...) \
    (fflush(stdout), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(code))
enum { WON = 64, NONE = 127 };
typedef uint64_t Mask; /* a bit for each place */
typedef struct {
    int m, k;
    long long blocks, size, rows; /* rows of a block, and of all */
    Mask *masks;                  /* of the blocks */
    signed char *values;
    unsigned char *reached; /* a bit for each row */
} Ply;
typedef Mask Table[8][256]; /* what each byte of a mask becomes */
typedef struct {            /* what a move does to all rows of a block */
    Mask mark, chosen; /* its cell, again if a choice has it */
    long long first;   /* the first row of the next block */
    int count;         /* of the symmetries that lead there */
    Table *numbers;    /* for each of them: a choice, numbered among the m cells of the next block */
} Move;

static FILE *file;
static int columns, rows, run, cells, gravity, misere, torus, plies, line_count, symmetries;
static int cell_at[CELLS], place_of[CELLS];
static long long binomial[CELLS + 1][CELLS + 1], sizes[CELLS + 2][2]; /* each ply's blocks, rows */
static long long ranks[8][CELLS + 1][256]; /* of each byte of a choice, by the marks below it */
static int ones[256];
static Mask full, lines[4 * CELLS];
static Table images[8 * CELLS], *numbers;

/* marubatsu raw 1
   game 3x2k2
   order 0 1 2 3 4 5           the cell at each place
   ply 0 blocks 1 rows 1       and so on; then an empty line */
static void read_header(void) {
    char name[64] = "";
    int number = 0, used = 0;
    if (fscanf(file, "marubatsu raw 1 game %63s order", name) == 1)
        sscanf(name, "%dx%dk%d%n", &columns, &rows, &run, &used);
    gravity = 8 * !!strstr(name, "-gravity"), misere = 7 * !!strstr(name, "-misere");
    torus = 6 * !!strstr(name, "-torus");
    if (!used || columns < 1 || rows < 1 || (long long)columns * rows > CELLS || run < 1 ||
        strlen(name + used) != (size_t)(gravity + misere + torus))
        FAIL(2, "this is no file of `marubatsu export GAME --raw`, or its game has other rules");
    cells = columns * rows, full = ((Mask)1 << cells) - 1;
    memset(place_of, -1, sizeof place_of);
    for (int place = 0; place < cells; place_of[number] = place, cell_at[place++] = number)
        if (fscanf(file, "%d", &number) != 1 || number < 0 || number >= cells ||
            place_of[number] >= 0 ||
            (gravity && place % rows && number != cell_at[place - 1] + columns))
            FAIL(1, "the order of cells is not one of all, with gravity down each column");
    for (; fscanf(file, " ply %d blocks %lld rows %lld", &number, &sizes[plies][0],
                  &sizes[plies][1]) == 3; plies++)
        if (number != plies || plies > cells) FAIL(1, "expected the line of ply %d", plies);
}

/* Derive lines and symmetries from coordinates. */
static void prepare(void) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (int each = 0; each < 4 * cells; each++) {
        int x = each / 4 % columns, y = each / 4 / columns, length = 0;
        for (Mask line = 0, mark; length <= run; length++, line |= mark) {
            if (length == run) lines[line_count++] = line;
            if (torus) x = (x + columns) % columns, y %= rows;
            if (x < 0 || x >= columns || y >= rows) break;
            mark = (Mask)1 << place_of[x + columns * y];
            if (line & mark) break; /* No cell counts twice. */
            x += directions[each % 4][0], y += directions[each % 4][1];
        }
    }
    for (int turn = 0; turn <= (columns == rows && !gravity); turn++)
        for (int flip = 0; flip < (gravity ? 2 : 4); flip++)
            for (int shift = 0; shift < (torus ? cells : 1); shift++, symmetries++)
                for (int cell = 0; cell < cells; cell++) {
                    int x = cell % columns, y = cell / columns, place = place_of[cell], goal;
                    if (flip & 1) x = columns - 1 - x;
                    if (flip & 2) y = rows - 1 - y;
                    if (turn) goal = x, x = y, y = goal;
                    goal = place_of[(x + shift) % columns + (y + shift / columns) % rows * columns];
                    for (int byte = 0; byte < 256; byte++) if (byte >> place % 8 & 1)
                        images[symmetries][place / 8][byte] |= (Mask)1 << goal;
                }
    for (int n = 0; n <= cells; n++)
        for (int k = 0; k <= n; k++)
            binomial[n][k] = k ? binomial[n - 1][k - 1] + binomial[n - 1][k] : 1;
    for (int bits = 0; bits < 256; bits++) {
        for (int bit = 0; bit < 8; bit++) ones[bits] += bits >> bit & 1;
        for (int byte = 0; byte < 8; byte++)
            for (int below = 0, k; k = below, below <= cells; below++)
                for (int bit = 0; bit < 8 && k < cells && 8 * byte + bit < cells; bit++)
                    if (bits >> bit & 1) ranks[byte][below][bits] += binomial[8 * byte + bit][++k];
    }
    numbers = calloc((size_t)(cells * symmetries), sizeof(Table));
    if (!numbers) FAIL(2, "there is no memory for %d tables", cells * symmetries);
}

static Mask look_up(Table table, Mask mask) {
    Mask found = 0;
    for (int byte = 0; mask; byte++, mask >>= 8) found |= table[byte][mask & 255];
    return found;
}

/* Number the images of cells among those that are left, by a table for each byte. */
static void number_images(int symmetry, Mask left, Table table) {
    for (int place = 0; place < cells; place++) {
        Mask goal = look_up(images[symmetry], (Mask)1 << place), below = left & (goal - 1);
        Mask *row = table[place / 8], bit = goal & left ? 1 : 0;
        for (; below; below &= below - 1) bit <<= 1;
        for (int low = 0; low < 1 << place % 8; low++)
            row[1 << place % 8 | low] = row[low] | bit;
    }
}

/* The row of a choice in its block. */
static long long row_of(Mask choice) {
    long long row = 0;
    for (int byte = 0, k = 0; choice; byte++, k += ones[choice & 255], choice >>= 8)
        row += ranks[byte][k][choice & 255];
    return row;
}

/* The choice of the next row: the lowest mark that can go on does, and those below start again. */
static Mask next_choice(Mask left, Mask choice) {
    Mask next = ((choice | ~left) + (choice & -choice)) & left, rest = choice & ~next;
    for (rest &= rest - 1; rest; rest &= rest - 1, left &= left - 1) next |= left & -left;
    return next;
}

/* Fill the columns from the last one on, each to all heights; without gravity they are cells. */
static void find_blocks(Ply *ply, int column, int missing, Mask mask) {
    int high = gravity ? rows : 1;
    int height = missing > column * high ? missing - column * high : 0; /* Others hold no more. */
    for (; column >= 0 && height <= high && height <= missing; height++)
        find_blocks(ply, column - 1, missing - height,
                    mask | (((Mask)1 << height) - 1) << ((column + 1) * high - height));
    for (int s = 0; s < symmetries; s++)
        if (column >= 0 || look_up(images[s], mask) > mask) return;
    if (!(ply->blocks & (ply->blocks + 1))) /* There is room for no more. */
        ply->masks = realloc(ply->masks, (2 * (size_t)ply->blocks + 2) * sizeof(Mask));
    if (!ply->masks) FAIL(2, "there is no memory for %lld blocks", ply->blocks);
    ply->masks[ply->blocks++] = mask;
}

static Ply read_ply(int number) {
    int circle = (number + 1) / 2;
    Ply ply = {gravity ? number : cells - circle, gravity ? circle : number / 2, 0, 0, 0, 0, 0, 0};
    find_blocks(&ply, (gravity ? columns : cells) - 1, gravity ? number : circle, 0);
    ply.size = binomial[ply.m][ply.k], ply.rows = ply.blocks * ply.size;
    if (sizes[number][0] != ply.blocks || sizes[number][1] != ply.rows)
        FAIL(1, "ply %d: expected %lld blocks and %lld rows", number, ply.blocks, ply.rows);
    for (long long block = 0; block < ply.blocks; block++) {
        Mask found = 0, expected = 0;
        for (int byte = 0; byte < 8; byte++) found |= (Mask)(fgetc(file) & 255) << 8 * byte;
        for (int place = 0; place < cells; place++)
            expected |= (ply.masks[block] >> place & 1) << cell_at[place];
        if (found != expected) FAIL(1, "ply %d, block %lld: expected another mask", number, block);
    }
    ply.values = malloc((size_t)ply.rows), ply.reached = calloc((size_t)ply.rows / 8 + 1, 1);
    if (!ply.values || !ply.reached) FAIL(2, "there is no memory for %lld rows", ply.rows);
    if (fread(ply.values, 1, (size_t)ply.rows, file) < (size_t)ply.rows)
        FAIL(1, "ply %d: the file ends too early", number);
    return ply;
}

/* List the moves from the rows of a block; a choice may have taken their cells. */
static int find_moves(Mask block, int is_circles, const Ply *next, Move *moves) {
    Move *move = moves;
    Table *table = numbers;
    for (int place = 0; place < cells; place++) {
        Mask mark = (Mask)1 << place, goal = gravity || is_circles ? block | mark : block;
        Mask greatest = 0;
        long long low = 0, high = next->blocks;
        if (block & mark || (gravity && (place + 1) % rows && !(block & mark << 1))) continue;
        for (int s = 0; s < symmetries; s++) {
            Mask found = look_up(images[s], goal);
            if (found > greatest) greatest = found;
        }
        move->count = 0, move->numbers = table;
        for (int s = 0; s < symmetries; s++) {
            if (look_up(images[s], goal) != greatest) continue;
            number_images(s, gravity ? greatest : full & ~greatest, *table++), move->count++;
        }
        for (long long middle; middle = (low + high) / 2, high - low > 1;)
            *(next->masks[middle] <= greatest ? &low : &high) = middle;
        move->mark = mark, move->chosen = !gravity == !is_circles ? mark : 0;
        move++->first = low * next->size;
    }
    return (int)(move - moves);
}

/* Return the value of a row from those of the rows to which moves lead, and mark these. */
static int value_of(const Move *moves, int count, Mask choice, Ply *next) {
    int best = -NONE;
    for (const Move *move = moves; move < moves + count; move++) {
        long long least = next->rows, row;
        if (choice & move->mark) continue;
        for (int i = 0; i < move->count; i++, least = row < least ? row : least)
            row = move->first + row_of(look_up(move->numbers[i], choice | move->chosen));
        next->reached[least / 8] |= (unsigned char)(1 << least % 8);
        int value = next->values[least]; /* for the other side, and a ply nearer to the end */
        value = value > 0 ? 1 - value : value < 0 ? -1 - value : 0;
        if (value > best) best = value;
    }
    return best;
}

/* Compare every value of a ply, and mark the rows of the next, if the file has one. */
static void check(int number, const Ply *ply, Ply *next) {
    static Move moves[CELLS];
    int is_circles = number % 2 == 0; /* turn */
    long long classes = 0, won = 0, lost = 0, row = 0;
    for (long long b = 0; b < ply->blocks; b++) {
        Mask block = ply->masks[b], left = gravity ? block : full & ~block, rest = left, choice = 0;
        int count = next ? find_moves(block, is_circles, next, moves) : 0;
        for (int i = 0; i < ply->k; i++, rest &= rest - 1) choice |= rest & -rest;
        for (long long i = 0; i < ply->size; i++, row++, choice = next_choice(left, choice)) {
            Mask circle = gravity ? choice : block, cross = gravity ? block & ~choice : choice;
            Mask moved = is_circles ? cross : circle; /* Only this side can have a line. */
            int value = ply->values[row], expected = NONE, line = 0;
            if (ply->reached[row / 8] >> row % 8 & 1) {
                while (line < line_count && (moved & lines[line]) != lines[line]) line++;
                if (line < line_count) expected = misere ? WON : -WON;
                else if (number == cells) expected = 0;
                else if (next) expected = value_of(moves, count, choice, next);
                else FAIL(1, "ply %d is the last of the file, but play goes on", number);
            }
            for (int c = 0; value != expected && c < cells; c++)
                printf("%c%s", ".ox"[(circle >> place_of[c] & 1) + 2 * (cross >> place_of[c] & 1)],
                       (c + 1) % columns ? "" : "\n");
            if (value != expected)
                FAIL(1, "ply %d, row %lld: expected %d, not %d (127 is null)", number, row,
                     expected, value);
            classes += value != NONE, won += value > 0 && value != NONE, lost += value < 0;
        }
    }
    if (!classes) FAIL(1, "ply %d is in the file, but play does not reach it", number);
    printf("%3d %15lld %15lld %15lld %15lld %15lld\n", number, ply->rows, classes, won,
           classes - won - lost, lost);
}

int main(int count, char **arguments) {
    Ply ply, next;
    if (count == 2) file = strcmp(arguments[1], "-") ? fopen(arguments[1], "rb") : stdin;
    if (!file) FAIL(2, "expected the name of a file that can be read, or - for standard input");
    read_header(), prepare();
    ply = read_ply(0), ply.reached[0] = 1;
    printf("ply            rows         classes             won           drawn            lost\n");
    for (int number = 0; number < plies; number++, ply = next) {
        if (number + 1 < plies) next = read_ply(number + 1);
        check(number, &ply, number + 1 < plies ? &next : NULL);
        free(ply.masks), free(ply.values), free(ply.reached);
    }
    if (fgetc(file) != EOF) FAIL(1, "the file goes on after its last ply");
    return puts("all values follow") == EOF;
}
