import type { PageRate } from './page-budget.js'

/** A place of the documentation that a search may find. */
export interface Place {
  title: string
  link: string
  text: string
}

/** How many places are shown. */
const FOUND_MAX = 20
/** A longer question is no search; nor is one of more words, each of which is looked for in every text. */
const QUERY_MAX = 100
const WORDS_MAX = 8
const EXCERPT_LENGTH = 160

/** How often in a minute is searched: each time all texts are read. */
export const SEARCHES: PageRate = { ofAddress: 60, ofAll: 600 }

/** A place that was found, with a part of its text. */
export type FoundPlace<P extends Place = Place> = P & { excerpt: string }

/**
 * Makes a search that finds the places that have every word of the query, those first that have them in their title, then
 * those that have them most often. The whole documentation is a few hundred places, so no index is kept.
 */
export function searchIn<P extends Place>(places: readonly P[]): (query: string) => FoundPlace<P>[] {
  const readable = places.map((place) => ({
    place,
    title: place.title.toLowerCase(),
    text: place.text.toLowerCase(),
  }))
  return (query) => {
    const words = wordsOf(query)
    if (words.length === 0) return []
    return readable
      .map((one) => ({ one, score: scoreOf(one, words) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, FOUND_MAX)
      .map(({ one: { place, text } }) => ({ ...place, excerpt: excerptOf(place.text, text.indexOf(words[0] ?? '')) }))
  }
}

function wordsOf(query: string): string[] {
  const words = query.slice(0, QUERY_MAX).toLowerCase().split(/\s+/).filter(Boolean)
  return [...new Set(words)].slice(0, WORDS_MAX)
}

/** A word of the title counts as much as ten of the text. */
const TITLE_WEIGHT = 10

/** 0 where a word is missing. */
function scoreOf({ title, text }: Pick<Place, 'title' | 'text'>, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const score = timesIn(title, word) * TITLE_WEIGHT + timesIn(text, word)
    if (score === 0) return 0
    sum += score
  }
  return sum
}

function timesIn(text: string, word: string): number {
  let times = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) times += 1
  return times
}

function excerptOf(text: string, wordAt: number): string {
  const at = Math.max(0, wordAt - EXCERPT_LENGTH / 2)
  const excerpt = text.slice(at, at + EXCERPT_LENGTH).replace(/\s+/g, ' ')
  return `${at > 0 ? '… ' : ''}${excerpt}${at + EXCERPT_LENGTH < text.length ? ' …' : ''}`
}
