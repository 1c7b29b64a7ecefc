package agent

import (
	"fmt"
	"strings"
)

// Nearest is the name that is most likely meant by the word, "" where none is
// near: at most a third of its letters differ, or one is the start of the other.
func Nearest(word string, names []string) string {
	best, bestCost := "", len(word)/3+1
	for _, n := range names {
		cost := distance(strings.ToLower(word), n)
		if cost < bestCost {
			best, bestCost = n, cost
		}
	}
	if best != "" || len(word) < 2 {
		return best
	}
	for _, n := range names {
		if strings.HasPrefix(n, strings.ToLower(word)) || strings.HasPrefix(strings.ToLower(word), n) {
			return n
		}
	}
	return ""
}

func hint(word string, names []string) string {
	return hintOr(word, names, "one of "+strings.Join(names, ", "))
}

func hintOr(word string, names []string, other string) string {
	if n := Nearest(word, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return other
}

// distance counts the letters to insert, delete, replace or swap (with the
// neighbour) between two words.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
