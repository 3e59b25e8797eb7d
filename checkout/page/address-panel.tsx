import { useState } from 'preact/hooks'
import { CopyBox, CopyButton } from './copy-box.js'
import { Alert, PayButton } from './fields.js'
import type { MethodProps } from './method-props.js'
import { QrCode } from './qr-code.js'
import { chainText, decimal, fill } from './text.js'
import { Countdown } from './time.js'
import type { PageView } from './view.js'

/** Asks on which network the payer sends, and then for the payment's address there. */
export function AddressForm({ view, onView, act, messages }: MethodProps) {
  const { addressChains } = view
  const [chain, setChain] = useState(addressChains[0] ?? '')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const open = async (): Promise<void> => {
    setBusy(true)
    const outcome = await act('address', { chain })
    setBusy(false)
    setProblem(outcome.ok ? undefined : (messages.errors[outcome.code] ?? messages.errors.other))
    if (outcome.view) onView(outcome.view)
  }
  return (
    <form
      data-test="address-form"
      // As a Pix's: it may be there before its script.
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void open()
      }}
    >
      <p class="intro">{messages.address.intro}</p>
      {addressChains.length > 1 && (
        <p class="field">
          <label for="address-chain">{messages.fields.chain}</label>
          <select
            id="address-chain"
            data-test="address-chain"
            value={chain}
            onChange={({ currentTarget: { value } }) => {
              setChain(value)
            }}
          >
            {addressChains.map((name) => (
              <option key={name} value={name}>
                {chainText(name)}
              </option>
            ))}
          </select>
        </p>
      )}
      <Alert text={problem} />
      <PayButton label={messages.address.submit} isBusy={isBusy} messages={messages} />
    </form>
  )
}

interface AddressCodeProps extends Pick<MethodProps, 'view' | 'messages'> {
  address: NonNullable<PageView['address']>
  now: number
  base: string
}

/** The address that waits for the token: to scan, and to copy, with all that a payer can do wrong said before. */
export function AddressCode({ view, address, now, base, messages }: AddressCodeProps) {
  const { chain, token, missing, received, link, expiresAt } = address
  const texts = messages.address
  const what = { token, chain: chainText(chain) }
  const of = encodeURIComponent(view.version)
  return (
    <div class="pix">
      <p class="price">
        {texts.send}
        <b data-test="address-amount">
          {decimal(missing, messages)} {token}
        </b>
        {fill(messages.wallet.network, what)}
        <CopyButton name="address-amount-copy" label={texts.copyAmount} value={missing} messages={messages} isSmall />
      </p>
      {received !== '0' && (
        <p class="note" role="status" data-test="address-received">
          {fill(texts.received, { amount: `${decimal(received, messages)} ${token}` })}
        </p>
      )}
      <p class="alert">{fill(texts.only, what)}</p>
      <QrCode name="address-qr" src={`${base}/qr.svg?code=address&of=${of}`} alt={texts.qr} />
      <CopyBox
        name="address-code"
        copyName="address-copy"
        label={fill(texts.label, what)}
        copyLabel={texts.copy}
        rows={2}
        value={address.address}
        messages={messages}
      />
      {link !== null && (
        <a class="button" data-test="address-link" href={link} rel="noreferrer">
          {texts.app}
        </a>
      )}
      <p class="small">{texts.fee}</p>
      {Date.parse(expiresAt) > now && <Countdown until={expiresAt} now={now} messages={messages} />}
    </div>
  )
}
