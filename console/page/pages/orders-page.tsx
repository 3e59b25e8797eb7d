import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { RoutedAnchor, RoutedButton } from '../parts/links.js'
import { createOrderMutation, ordersQuery, type OrdersResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, money } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { DataTable } from '../parts/table.js'
import { Allowed } from '../session/allowed.js'
import { PayButton } from './pay-button.js'

type Order = NonNullable<OrdersResult['orders']>['edges'][number]['node']

/** A tenant has twenty at most. */
const ALL = 20

/** The payment links, newest first. */
export function OrdersPage(): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { data, isLoading, error, again } = useGraph(ordersQuery, { first: ALL })
  const orders = data?.orders?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.nav.orders} lead={t.orders.lead}>
        <Allowed act={createOrderMutation}>
          <RoutedButton to="/orders/new" data-test="new-order">
            {t.orders.make}
          </RoutedButton>
        </Allowed>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {orders && (
        <DataTable<Order>
          label={t.nav.orders}
          test="orders"
          rows={orders}
          keyOf={({ id }) => id}
          nothing={<Nothing text={t.orders.nothing} />}
          columns={[
            { name: t.common.created, show: ({ createdAt }) => moment(createdAt, language) },
            {
              name: t.orders.item,
              show: ({ orderItems }) => orderItems.map(({ name, quantity }) => `${quantity} × ${name}`).join(', '),
            },
            {
              name: t.orders.price,
              isAmount: true,
              show: ({ amountFrom, fromCurrencySymbol }) => money(amountFrom, fromCurrencySymbol, language),
            },
            { name: t.orders.token, show: ({ toCurrencySymbol, toChain }) => [toCurrencySymbol, toChain].join(' ') },
            { name: t.orders.active, show: ({ active }) => (active ? t.common.yes : t.common.no) },
            {
              name: t.nav.payments,
              show: ({ id }) => (
                <RoutedAnchor to="/" search={{ order: id }} size="sm">
                  {t.nav.payments}
                </RoutedAnchor>
              ),
            },
            { name: t.orders.firstPayment, show: ({ id, active }) => active && <PayButton orderId={id} /> },
          ]}
        />
      )}
    </Stack>
  )
}
