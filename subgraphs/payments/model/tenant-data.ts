/** What a payment says of where its events go. */
interface Addressed {
  publicClientId?: string | null | undefined
  webhookUrl?: string | null | undefined
}

/**
 * The integration that a payment names, and the address for its events; null where it names none: they go to that of the
 * tenant's default integration then, if it has one.
 */
export function tenantDataOf({ publicClientId, webhookUrl }: Addressed): {
  publicClientId: string
  webhookUrl: string
} | null {
  return publicClientId && webhookUrl ? { publicClientId, webhookUrl } : null
}
