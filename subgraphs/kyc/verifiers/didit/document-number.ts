import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf'

type Json = Readonly<Record<string, unknown>>

/**
 * The CPF that Didit has seen of a person: of what it looked up, before what stood on the document. A number that is no CPF,
 * such as an identity card's, says nothing about one.
 * @param lookups `database_validations`, whose results stand in the entry or in its `validations`
 * @param documents `id_verifications`
 * @returns eleven digits; null where none is shown
 */
export function readDocumentNumber(lookups: readonly Json[], documents: readonly Json[]): string | null {
  const results = lookups.flatMap((lookup) => [lookup, ...objectsOf(lookup['validations'])])
  const matched = results.filter(({ outcome_code: outcome }) => outcome === 'MATCH')
  const sources = matched.flatMap((result) => [...objectsOf([result['source_data']]), result])
  const candidates = [
    ...sources.flatMap((source) => [source['identification_number'], source['tax_number']]),
    ...documents.map((document) => document['personal_number']),
    ...documents.map((document) => document['document_number']),
  ]
  return candidates.map(cpfOrNull).find((cpf) => cpf !== null) ?? null
}

function objectsOf(value: unknown): Json[] {
  const isObject = (item: unknown): item is Json => typeof item === 'object' && item !== null
  return Array.isArray(value) ? value.filter(isObject) : []
}

function cpfOrNull(value: unknown): string | null {
  const digits = typeof value === 'string' ? value.trim().replace(/[.-]/g, '') : ''
  return /^\d{11}$/.test(digits) && isValidCpf(digits) ? digits : null
}
