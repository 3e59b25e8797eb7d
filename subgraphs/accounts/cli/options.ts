import { neededOption, UsageError, type OptionValues } from '../../../kernel/command-line.js'
import { PRODUCTS, type Product } from '../../../kernel/tenant.js'
import type { ApiKeyMode } from '../domain/api-key.js'
import { OVERLAP_HOURS_MAX } from '../domain/rotate-webhook-secret.js'

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const

/** An option with a value; undefined where it is left out. */
export function textOption(values: OptionValues, option: string): string | undefined {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

/** The tenant that is named, as use cases take it. @throws UsageError */
export function tenantOption(values: OptionValues): { id: string } {
  return { id: neededOption(values, 'tenant') }
}

/** The same, or null for the deployment itself. @throws UsageError */
export function ownerOption(values: OptionValues): { id: string } | null {
  if (values['platform'] && values['tenant'] !== undefined) {
    throw new UsageError('A key is of a tenant or of the platform, not both.')
  }
  return values['platform'] ? null : tenantOption(values)
}

/** Keys are for tests unless it is said. */
export function modeOption(values: OptionValues): ApiKeyMode {
  return values['live'] ? 'live' : 'test'
}

/** All of them where the option is left out. @throws UsageError */
export function productsOption(values: OptionValues): readonly Product[] {
  const text = textOption(values, 'products')
  if (text === undefined) return PRODUCTS
  return text.split(',').map((word) => {
    const product = PRODUCTS.find((candidate) => candidate === word.trim())
    if (!product) throw new UsageError(`--products is a comma list of ${PRODUCTS.join(', ')}.`)
    return product
  })
}

/** When a key expires; null for never. @throws UsageError */
export function expiryOption(values: OptionValues): Date | null {
  const text = textOption(values, 'expires')
  if (text === undefined) return null
  const date = new Date(text)
  // Date also reads "1" and "May 5": only what begins like an ISO 8601 date is meant.
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime())) {
    throw new UsageError('--expires is an ISO 8601 date, e.g. 2030-01-31T00:00:00Z.')
  }
  return date
}

/** How long an earlier secret signs too. @throws UsageError */
export function overlapOption(values: OptionValues): number | undefined {
  const text = values['overlap-hours']
  if (text === undefined) return undefined
  const hours = Number(text)
  if (Number.isInteger(hours) && hours >= 0 && hours <= OVERLAP_HOURS_MAX) return hours
  throw new UsageError(`--overlap-hours is a whole number from 0 to ${OVERLAP_HOURS_MAX}.`)
}

/** Where events go; null for no address. @throws UsageError */
export function webhookUrlOption(values: OptionValues): string | null {
  const text = textOption(values, 'webhook-url')
  if (text === undefined) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--webhook-url is an http or https URL.')
  return text
}
