import type { EN } from './en.js'

/** The page's texts in one language: the English ones say which there are. `{…}` is filled in. Not every code has a text. */
export type Messages = typeof EN & Readonly<Record<'bad' | 'reasons' | 'errors', Readonly<Record<string, string>>>>
