/** An operation that GraphiQL opens with, and what it is sent with. */
interface SavedOperation {
  query: string
  variables?: Readonly<Record<string, unknown>>
}

const WHAT_IS_ENABLED = `# Put your API key into "x-api-key" in Headers:
# once, for every tab while this window is open.
# Then fetch the schema again (the round arrow)
# to have completion and documentation.
query WhatIsEnabled {
  products {
    crypto
    pix
    creditCard
    kyc
  }
  configuration {
    fiatCurrencies {
      code
      decimals
    }
    chains {
      name
      tokens {
        symbol
        minPayout
      }
    }
    methods {
      method
      isEnabled
    }
  }
}
`

const PRICE = `# What a token costs in a fiat currency now,
# and who says so.
query Price($from: String!, $to: String!) {
  marketQuote(from: $from, to: $to) {
    symbol
    price
    source
  }
}
`

const MAKE_ORDER = `# An order is what can be paid again and again.
mutation MakeOrder($order: CreateOrderInput!) {
  createOrder(input: $order) {
    order {
      id
      amountFrom
      fromCurrencySymbol
    }
    errors {
      code
      message
      path
    }
  }
}
`

const ORDERS_WITH_PAYMENTS = `# Two subgraphs in one answer: orders are one's,
# their payments the other's.
query OrdersWithPayments {
  orders(first: 10) {
    totalCount
    edges {
      node {
        id
        amountFrom
        payments(first: 5) {
          edges {
            node {
              id
              status
              amountTo
            }
          }
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`

const WATCH_PAYMENTS = `# Stays open: each payment that changes
# comes by itself.
subscription WatchPayments {
  paymentsUpdated {
    id
    status
    sequence
    updatedAt
  }
}
`

/** The tabs that GraphiQL opens with: each runs as it stands, with the key of any tenant. */
export const SAVED_OPERATIONS: readonly SavedOperation[] = [
  { query: WHAT_IS_ENABLED },
  { query: PRICE, variables: { from: 'USDT', to: 'BRL' } },
  {
    query: MAKE_ORDER,
    variables: {
      order: {
        executorId: 'api_transaction',
        fromCurrencySymbol: 'BRL',
        amountFrom: '54.20',
        toCurrencySymbol: 'USDT',
        onRamp: false,
        gatewayMethod: 'DIRECT',
      },
    },
  },
  { query: ORDERS_WITH_PAYMENTS },
  { query: WATCH_PAYMENTS },
]
