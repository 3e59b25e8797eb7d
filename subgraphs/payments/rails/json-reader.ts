import { protocolError, type ProviderError } from '../../../kernel/provider-error.js'

/** A JSON object of a provider. */
export type Json = Readonly<Record<string, unknown>>

/** Reads the parts of a provider's answers. Each reader throws a ProviderError of kind `protocol`, which quotes nothing. */
export function jsonReader(provider: string) {
  const refuse = (what: string): ProviderError => protocolError(provider, `${provider} sent ${what}`)
  const textOf = (value: unknown): string => {
    if (typeof value !== 'string' || value === '') throw refuse('a text that is missing')
    return value
  }
  return {
    /** The error of an answer that is something else: `sent` completes "pix sent …". */
    refuse,
    textOf,
    objectOf: (value: unknown, what = 'an object'): Json => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
      throw refuse(`something other than ${what}`)
    },
    listOf: (value: unknown): unknown[] => {
      if (!Array.isArray(value)) throw refuse('something other than a list')
      return value
    },
    dateOf: (value: unknown): Date => {
      const at = new Date(textOf(value))
      if (Number.isNaN(at.getTime())) throw refuse('a time that is none')
      return at
    },
  }
}
