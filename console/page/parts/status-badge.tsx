import type { ReactNode } from 'react'

/** How each status sounds; the others are told in grey. */
const TONES: Readonly<Record<string, readonly string[]>> = {
  good: ['SUCCESS', 'PAID', 'SUCCEEDED', 'DELIVERED', 'ACTIVE', 'APPROVED', 'DONE', 'ANSWERING', 'ON', 'WON'],
  bad: ['ERROR', 'TAKEN_BACK', 'FAILED', 'REPROVED', 'PAST_DUE', 'DECLINED', 'REFUSED', 'HELD', 'FAILING'],
  open: ['PENDING', 'WAITING', 'SENDING', 'IN_REVIEW', 'PROPOSED', 'ORDERED'],
}

/** Where something stands, in words; the colour says nothing that the word does not. */
export function StatusBadge({ status, text }: { status: string; text: string }): ReactNode {
  const [tone] = Object.entries(TONES).find(([, statuses]) => statuses.includes(status)) ?? []
  return (
    <span className="status" data-tone={tone} data-test="status" data-status={status}>
      {text}
    </span>
  )
}
