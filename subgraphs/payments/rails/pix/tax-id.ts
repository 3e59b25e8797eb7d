import { createHmac } from 'node:crypto'
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj'
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf'

/** A Brazilian tax id without punctuation: a CPF of 11 digits, or a CNPJ of 12 letters and digits and 2 check digits. */
export type TaxId = { kind: 'cpf'; value: string } | { kind: 'cnpj'; value: string }

/**
 * Reads a CPF or CNPJ (numeric, or alphanumeric by IN RFB 2229/2024), with or without the usual punctuation.
 * @returns undefined where its form or its check digits are wrong
 */
export function readTaxId(text: string): TaxId | undefined {
  const value = text.trim().replace(/[./-]/g, '').toUpperCase()
  if (/^\d{11}$/.test(value)) return isValidCpf(value) ? { kind: 'cpf', value } : undefined
  if (!/^[0-9A-Z]{12}\d{2}$/.test(value) || /^(.)\1+$/.test(value)) return undefined
  return isValidCnpj(value, { version: 2 }) ? { kind: 'cnpj', value } : undefined
}

/** What may be stored and shown of a tax id: `***.456.789-**`, or `**.345.678/****-**` of a company. */
export function maskTaxId({ kind, value }: TaxId): string {
  if (kind === 'cpf') return `***.${value.slice(3, 6)}.${value.slice(6, 9)}-**`
  return `**.${value.slice(2, 5)}.${value.slice(5, 8)}/****-**`
}

/**
 * A keyed hash of a tax id (HMAC-SHA256, hex): equal ids can be found, and without the key nobody can try all CPFs.
 * @param key 32 bytes of the deployment's own
 */
export function hashTaxId({ kind, value }: TaxId, key: Buffer): string {
  return createHmac('sha256', key).update(`${kind}:${value}`).digest('hex')
}
