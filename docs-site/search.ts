/** A place of the documentation that a search may find. */
export interface Place {
  title: string
  link: string
  text: string
}

/** How many places are shown. */
const FOUND_MAX = 20
/** A longer question is no search. */
const QUERY_MAX = 100
const EXCERPT_LENGTH = 160

/**
 * Finds the places that have every word of the query, those first that have them in their title, then those that have them
 * most often. The whole documentation is a few hundred places, so no index is kept.
 */
export function search(places: readonly Place[], query: string): (Place & { excerpt: string })[] {
  const words = query.slice(0, QUERY_MAX).toLowerCase().split(/\s+/).filter(Boolean)
  const scored = places.map((place) => ({ place, score: words.length === 0 ? 0 : scoreOf(place, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX)
    .map(({ place }) => ({ ...place, excerpt: excerptOf(place.text, words[0] ?? '') }))
}

/** A word of the title counts as much as ten of the text. */
const TITLE_WEIGHT = 10

function scoreOf({ title, text }: Place, words: readonly string[]): number {
  const scores = words.map(
    (word) => timesIn(title.toLowerCase(), word) * TITLE_WEIGHT + timesIn(text.toLowerCase(), word),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function timesIn(text: string, word: string): number {
  return text.split(word).length - 1
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_LENGTH / 2)
  const excerpt = text.slice(at, at + EXCERPT_LENGTH).replace(/\s+/g, ' ')
  return `${at > 0 ? '… ' : ''}${excerpt}${at + EXCERPT_LENGTH < text.length ? ' …' : ''}`
}
