import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { createOrderMutation } from '../generated/operations.js'
import { refusalOf, useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { typedPrice } from '../parts/typed-amount.js'
import { PageTitle } from '../parts/page-title.js'
import { Refusal } from '../parts/refusal.js'
import { useSubmit } from '../parts/use-submit.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { EMPTY_DRAFT, orderInput, type OrderDraft } from './order-draft.js'
import { OrderFields } from './order-fields.js'
import { OrderPreview } from './order-preview.js'
import { PayButton } from './pay-button.js'

const PRICE_REFUSED: Refused = { code: 'VALIDATION_ERROR', field: 'amountFrom', message: 'must be an amount' }

/** A payment link in the making, beside what its payer will see. */
export function NewOrderPage(): ReactNode {
  const t = useText()
  const [draft, setDraft] = useKeptDraft<OrderDraft>('order', () => EMPTY_DRAFT)
  const [orderId, setOrderId] = useState<string>()
  const create = useAct(createOrderMutation)
  const { submit, isBusy, refused } = useSubmit(async () => {
    // Its field says how it is written.
    if (typedPrice(draft.price, draft.currency) === undefined) return PRICE_REFUSED
    return refusalOf(create({ input: orderInput(draft) }), ({ data }) => setOrderId(data?.createOrder?.order?.id))
  })
  if (orderId !== undefined)
    return (
      <Stack data-test="order-made">
        <PageTitle title={t.orders.made} lead={t.orders.lead} />
        <PayButton orderId={orderId} />
        <OrderPreview draft={draft} />
      </Stack>
    )
  return (
    <Stack>
      <PageTitle title={t.orders.make} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Form className="form-card" onSubmit={submit}>
          <Stack>
            <OrderFields draft={draft} onChange={setDraft} />
            <Refusal refused={refused} />
            <Button type="submit" loading={isBusy} data-test="create-order">
              {t.orders.create}
            </Button>
          </Stack>
        </Form>
        <OrderPreview draft={draft} />
      </SimpleGrid>
    </Stack>
  )
}
