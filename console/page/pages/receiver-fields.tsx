import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { sharesOf, TYPED_DECIMAL, type DraftReceiver, type OrderDraft } from './order-draft.js'

/** The contract's bound for one payment. */
const RECEIVERS_MAX = 10
/** An address of an EVM chain or of Solana. Where the chain is left open the server cannot say more, and would make a link that nothing can pay. */
const WALLET = '\\s*(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})\\s*'

/** Who receives, and which share. */
export function ReceiverFields({
  draft,
  onChange,
}: {
  draft: OrderDraft
  onChange: (draft: OrderDraft) => void
}): ReactNode {
  const t = useText()
  const { receivers } = draft
  const set = (index: number, change: Partial<DraftReceiver>): void => {
    onChange({ ...draft, receivers: receivers.map((one, at) => (at === index ? { ...one, ...change } : one)) })
  }
  const sum = sharesOf(draft)
  return (
    <Stack gap="xs">
      {receivers.map((receiver, index) => (
        <Group key={index} align="end" wrap="nowrap">
          <TextInput
            flex={1}
            required
            pattern={draft.chain === '' ? WALLET : undefined}
            label={t.orders.receiver}
            data-test="receiver-wallet"
            value={receiver.wallet}
            onChange={(event) => set(index, { wallet: event.currentTarget.value })}
          />
          <TextInput
            w={110}
            required
            inputMode="decimal"
            pattern={TYPED_DECIMAL}
            label={t.orders.percent}
            data-test="receiver-percent"
            value={receiver.percent}
            onChange={(event) => set(index, { percent: event.currentTarget.value })}
          />
          {receivers.length > 1 && (
            <Button
              variant="default"
              px="xs"
              aria-label={t.orders.removeReceiver}
              onClick={() => onChange({ ...draft, receivers: receivers.filter((_, at) => at !== index) })}
            >
              ×
            </Button>
          )}
        </Group>
      ))}
      <Group justify="space-between">
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={receivers.length >= RECEIVERS_MAX}
          onClick={() => onChange({ ...draft, receivers: [...receivers, { wallet: '', percent: '0' }] })}
        >
          {t.orders.addReceiver}
        </Button>
        {sum !== 100 && (
          <Text size="sm" role="status">
            {t.orders.shares} {sum} %
          </Text>
        )}
      </Group>
    </Stack>
  )
}
