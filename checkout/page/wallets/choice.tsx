import type { Messages } from '../messages/messages.js'
import { chainText, decimal, fill } from '../text.js'
import type { PageView, WalletChain } from '../view.js'

/** What the wallet pays, in which token and on which chain. */
export function Price({
  price,
  chain,
  messages,
}: {
  price: NonNullable<PageView['price']>
  chain: string
  messages: Messages
}) {
  return (
    <p class="price">
      {messages.wallet.toPay}
      <b>
        {decimal(price.amount, messages)} {price.token}
      </b>
      {fill(messages.wallet.network, { chain: chainText(chain) })}
    </p>
  )
}

/** Chain and token, where there is a choice. */
export function Where({
  chains,
  where,
  onWhere,
  messages,
}: {
  chains: readonly WalletChain[]
  where: { chain: string; token: string }
  onWhere: (where: { chain: string; token: string }) => void
  messages: Messages
}) {
  const tokens = chains.find(({ name }) => name === where.chain)?.tokens ?? []
  if (chains.length < 2 && tokens.length < 2) return null
  return (
    <div class="grid">
      <p class="field">
        <label for="wallet-chain">{messages.fields.chain}</label>
        <select
          id="wallet-chain"
          data-test="wallet-chain"
          value={where.chain}
          onChange={({ currentTarget: { value } }) => {
            onWhere({ chain: value, token: chains.find(({ name }) => name === value)?.tokens[0] ?? '' })
          }}
        >
          {chains.map(({ name }) => (
            <option key={name} value={name}>
              {chainText(name)}
            </option>
          ))}
        </select>
      </p>
      <p class="field">
        <label for="wallet-token">{messages.fields.token}</label>
        <select
          id="wallet-token"
          data-test="wallet-token"
          value={where.token}
          onChange={({ currentTarget: { value } }) => {
            onWhere({ ...where, token: value })
          }}
        >
          {tokens.map((symbol) => (
            <option key={symbol}>{symbol}</option>
          ))}
        </select>
      </p>
    </div>
  )
}
