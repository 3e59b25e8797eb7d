/** What never gets into the journal: card numbers and codes, one-time codes, tax ids. */
const SECRET_FIELDS = new Set(['card', 'card_token', 'code', 'payer_cpf', 'payer_document', 'pix_qr_code_data_url'])

/** A body as the journal may keep it. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !SECRET_FIELDS.has(name))
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutSecrets(inner)]))
}
