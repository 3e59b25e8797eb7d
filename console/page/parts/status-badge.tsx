import type { ReactNode } from 'react'

const TONES: Readonly<Record<string, string>> = {
  SUCCESS: 'good',
  PAID: 'good',
  SUCCEEDED: 'good',
  DELIVERED: 'good',
  ACTIVE: 'good',
  APPROVED: 'good',
  DONE: 'good',
  ANSWERING: 'good',
  ON: 'good',
  WON: 'good',
  ERROR: 'bad',
  TAKEN_BACK: 'bad',
  FAILED: 'bad',
  REPROVED: 'bad',
  PAST_DUE: 'bad',
  DECLINED: 'bad',
  REFUSED: 'bad',
  HELD: 'bad',
  FAILING: 'bad',
  PENDING: 'open',
  WAITING: 'open',
  SENDING: 'open',
  IN_REVIEW: 'open',
  PROPOSED: 'open',
  ORDERED: 'open',
}

/** Where something stands, in words; the colour says nothing that the word does not. */
export function StatusBadge({ status, text }: { status: string; text: string }): ReactNode {
  return (
    <span className="status" data-tone={TONES[status]} data-test="status" data-status={status}>
      {text}
    </span>
  )
}
