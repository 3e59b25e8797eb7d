import { equalTexts } from '../kernel/equal-texts.js'
import { hmacSha256 } from '../kernel/hmac.js'

/** The subscription whose e-mails a link ends, and its tenant. */
export interface StopMailsLink {
  tenantId: string
  id: string
}

/** Below it the page stands that ends e-mails. */
export const STOP_MAILS_PATH = '/pay-reminders'

/**
 * The link in e-mails to a subscription's payer, by which they end. It is good for ever, as the e-mail stays where it is, and
 * for nothing else.
 */
export function stopMailsLink(publicUrl: string, { tenantId, id }: StopMailsLink, signingKey: Buffer): string {
  return `${publicUrl}${STOP_MAILS_PATH}/${tenantId}.${id}.${macOf(tenantId, id, signingKey)}`
}

/** What a link's token stands for; undefined where it is not ours. */
export function stopMailsOf(token: string, signingKey: Buffer): StopMailsLink | undefined {
  const [tenantId = '', id = '', mac = '', ...rest] = token.split('.')
  const isOurs = rest.length === 0 && equalTexts(mac, macOf(tenantId, id, signingKey))
  return isOurs ? { tenantId, id } : undefined
}

/** The first word keeps it apart from what else the key signs. */
function macOf(tenantId: string, id: string, signingKey: Buffer): string {
  return hmacSha256(`stop-mails.${tenantId}.${id}`, signingKey).slice(0, 32)
}
