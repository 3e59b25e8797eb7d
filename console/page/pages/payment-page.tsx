import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RoutedAnchor } from '../parts/links.js'
import { paymentQuery } from '../generated/operations.js'
import { OwnRows } from '../graph/asking.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { failed } from '../messages/said.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { isSandbox } from '../nonce.js'
import { money, moment } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import { Terms } from '../parts/terms.js'
import { PaymentActs } from './payment-acts.js'
import { PaymentDeliveries } from './payment-deliveries.js'
import { PaymentHistory } from './payment-history.js'
import { PaymentMoney } from './payment-money.js'
import { SandboxSection } from './sandbox-section.js'
import type { ShownPayment } from './shown.js'

const route = getRouteApi('/payments/$id')

/** A payment's whole life, where its money went, and what can be done about it. */
export function PaymentPage(): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { id } = route.useParams()
  const { data, isLoading, error, again, quietly } = useGraph(paymentQuery, { id })
  usePaymentChanges((ids) => {
    // Nothing is known of what changed while the stream was broken.
    if (ids.size === 0 || ids.has(id)) quietly()
  })
  const payment = data?.payment
  return (
    <Stack>
      <RoutedAnchor to="/" size="sm">
        ← {t.nav.payments}
      </RoutedAnchor>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data && !payment && !error && <Text>{t.payment.missing}</Text>}
      {payment && (
        <>
          <Group justify="space-between">
            <Group>
              <Title order={1} size="h2" className="amount" data-test="payment-amount">
                {money(payment.amountFrom, payment.fromCurrencySymbol, language)}
              </Title>
              <StatusBadge status={payment.status} text={t.status[payment.status]} />
            </Group>
            <PaymentActs payment={payment} onDone={again} />
          </Group>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Summary payment={payment} />
            <PaymentHistory payment={payment} />
          </SimpleGrid>
          <PaymentMoney payment={payment} />
          <OwnRows>
            <PaymentDeliveries paymentId={id} sequence={payment.sequence} />
          </OwnRows>
          {isSandbox && <SandboxSection payment={payment} />}
        </>
      )}
    </Stack>
  )
}

function Summary({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { dataError } = payment
  const came = (amount: string): string => money(amount, payment.toCurrencySymbol, language)
  return (
    <Section title={t.payment.summary}>
      <Terms
        of={[
          ['Id', <span className="id">{payment.id}</span>],
          [t.common.created, moment(payment.createdAt, language)],
          [t.payments.method, payment.transactionType && t.methods[payment.transactionType]],
          [t.payments.payer, payment.payerEmail ?? payment.payerWallet],
          [t.payment.chain, payment.chainName ?? payment.toChain],
          [t.payment.hash, payment.transactionHash && <span className="id">{payment.transactionHash}</span>],
          [t.payment.order, payment.orderCode && <span className="id">{payment.orderCode}</span>],
          [t.payment.received, isPositive(payment.receivedAmount) && came(payment.receivedAmount)],
          [t.payment.overpaid, isPositive(payment.overpaidAmount) && came(payment.overpaidAmount)],
          [t.payment.late, payment.late && t.common.yes],
          [t.common.reason, dataError && failed(dataError, t, language)],
          [
            t.payment.page,
            <Anchor href={payment.sessionPayment} target="_blank" rel="noreferrer" size="sm" data-test="payment-link">
              {t.payment.open}
            </Anchor>,
          ],
        ]}
      />
    </Section>
  )
}

function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount)
}
