import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { typedPrice } from '../parts/typed-amount.js'
import type { OrderDraft } from './order-draft.js'
import { OrderMoney } from './order-money.js'
import { ReceiverFields } from './receiver-fields.js'

interface OrderFieldsProps {
  draft: OrderDraft
  onChange: (draft: OrderDraft) => void
}

const METHODS = ['pixcrypto', 'cardcrypto', 'crypto'] as const

/** The fields of a payment link. What the server alone can judge, e.g. a wallet, it judges when the link is made. */
export function OrderFields({ draft, onChange }: OrderFieldsProps): ReactNode {
  const t = useText()
  const field = (name: 'item' | 'quantity' | 'description' | 'price' | 'successUrl') => ({
    'data-test': `order-${name}`,
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  })
  const isReadable = draft.price.trim() === '' || typedPrice(draft.price, draft.currency) !== undefined
  return (
    <>
      <TextInput label={t.orders.item} required maxLength={200} {...field('item')} />
      <Group grow align="start">
        <TextInput
          label={t.orders.price}
          required
          inputMode="decimal"
          error={isReadable ? undefined : t.orders.priceForm}
          {...field('price')}
        />
        <NativeSelect
          label={t.common.currency}
          data={['BRL', 'USD']}
          data-test="order-currency"
          value={draft.currency}
          onChange={(event) => onChange({ ...draft, currency: event.currentTarget.value })}
        />
        <TextInput label={t.orders.quantity} required type="number" min={1} {...field('quantity')} />
      </Group>
      <TextInput label={t.orders.description} maxLength={500} {...field('description')} />
      <OrderMoney draft={draft} onChange={onChange} />
      <ReceiverFields draft={draft} onChange={onChange} />
      <Checkbox.Group
        label={t.orders.methods}
        value={METHODS.filter((name) => draft.methods[name])}
        onChange={(chosen) =>
          onChange({
            ...draft,
            methods: {
              pixcrypto: chosen.includes('pixcrypto'),
              cardcrypto: chosen.includes('cardcrypto'),
              crypto: chosen.includes('crypto'),
            },
          })
        }
      >
        <Group mt="xs">
          {METHODS.map((name) => (
            <Checkbox key={name} value={name} label={t.orders[name]} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput label={t.orders.successUrl} type="url" {...field('successUrl')} />
    </>
  )
}
