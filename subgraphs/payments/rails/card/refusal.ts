import type { RefusalCode } from '../../model/refusal.js'

/** The acquirers' return codes: those of ABECS, and those of four digits that the processor's own acquirer has besides. */
const CODES: Readonly<Partial<Record<RefusalCode, readonly string[]>>> = {
  card_blocked: ['04', '62', '78', '1003', '1004', '1025', '2000', '2004'],
  expired_card: ['54', '1001', '2001'],
  insufficient_funds: ['51', '1016'],
  invalid_card: ['14', '1011'],
  invalid_security_code: ['82', 'N7', '1027', '1045'],
  lost_or_stolen_card: ['41', '43', '2008', '2009'],
  not_permitted: ['57', '58', '1002', '1014', '1019', '2002'],
  suspected_fraud: ['59', '63', '1022', '1028', '2003'],
}

const REFUSAL_OF: ReadonlyMap<string, RefusalCode> = new Map(
  (Object.keys(CODES) as RefusalCode[]).flatMap((refusal) =>
    (CODES[refusal] ?? []).map((code) => [code, refusal] as const),
  ),
)

/**
 * Why a card was refused.
 * @param returnCode the acquirer's, as it came
 * @param antifraud the antifraud's status
 */
export function cardRefusal(returnCode: unknown, antifraud: unknown): RefusalCode {
  if (antifraud === 'reproved') return 'suspected_fraud'
  return (typeof returnCode === 'string' ? REFUSAL_OF.get(returnCode) : undefined) ?? 'card_declined'
}
