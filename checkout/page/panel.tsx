import { useState } from 'preact/hooks'
import type { Act } from './actions.js'
import { AddressCode, AddressForm, AddressNote } from './address-panel.js'
import { FiatForm } from './fiat-form.js'
import { ReceiptMail, WalletPay } from './lazy.js'
import type { Messages } from './messages/messages.js'
import { MethodChoice } from './method-choice.js'
import { PixCode } from './pix-code.js'
import type { PixPayer } from './pix-panel.js'
import { Receipt } from './receipt.js'
import { Challenge, RetryButton, Status } from './status.js'
import { Time, useNow } from './time.js'
import type { Method, PageStatus, PageView } from './view.js'

interface PanelProps {
  view: PageView
  onView: (view: PageView) => void
  act: Act
  base: string
  messages: Messages
}

/** Where the payment stands, and what its payer can do now. */
export function Panel({ view, onView, act, base, messages }: PanelProps) {
  const { chosen, pix, address } = view
  const now = useNow(view, view.status === 'waiting' && (pix ?? address) !== null)
  const status = statusAt(view, now)
  const [picked, setPicked] = useState<Method>()
  // Of a refusal the payer reads first, and then tries again.
  const [retriedAt, setRetriedAt] = useState<string>()
  const [payer, setPayer] = useState<PixPayer>({ email: '', cpf: '' })
  const isEnded = status === 'refused' || status === 'expired'
  const isOpen = status === 'open' || ((isEnded || view.challengeUrl !== null) && retriedAt === view.version)
  const shown: PageStatus = isOpen ? 'open' : status
  const methods = methodsNow(view)
  const method = [picked, chosen].find((name) => name != null && methods.includes(name)) ?? methods[0]
  const common = { act, messages, onView, view }
  // In one place whatever the state: a wallet that was asked answers while the state changes.
  const isWaiting = status === 'waiting'
  const isOther = isWaiting && method !== chosen
  const isWalletShown = (isOpen || isWaiting) && method === 'wallet'
  const retry = async (): Promise<void> => {
    // A code that ran out is replaced in place: the page still knows who pays.
    if (status === 'expired' && chosen === 'pix' && payer.cpf !== '') {
      const outcome = await act('pix', payer)
      if (outcome.view) onView(outcome.view)
      if (outcome.ok) return
    }
    setRetriedAt(view.version)
  }
  return (
    <section class={`panel is-${shown}`}>
      <Status status={shown} view={view} messages={messages} />
      {isOpen && !view.isClosed && method === undefined && <p>{messages.noMethods}</p>}
      {(isOpen || (isWaiting && methods.length > 1)) && method !== undefined && (
        <MethodChoice methods={methods} method={method} onMethod={setPicked} messages={messages} />
      )}
      {status === 'expired' && chosen === 'address' && <p class="alert">{messages.address.sent}</p>}
      {view.addressNote && <AddressNote note={view.addressNote} messages={messages} />}
      {view.challengeUrl !== null && !isOther && !isOpen && <Challenge url={view.challengeUrl} messages={messages} />}
      {(isEnded || (view.challengeUrl !== null && !isOther)) && !isOpen && methods.length > 0 && (
        <RetryButton
          label={retryLabel(view, status, messages)}
          onRetry={retry}
          isQuiet={view.challengeUrl !== null}
          messages={messages}
        />
      )}
      {(isOpen || isOther) && (method === 'pix' || method === 'card') && (
        <FiatForm {...common} method={method} payer={payer} onPayer={setPayer} />
      )}
      {(isOpen || isOther) && method === 'address' && <AddressForm {...common} />}
      {isWalletShown && <WalletPay key="wallet" {...common} />}
      {isWaiting && !isOther && pix && <PixCode view={view} pix={pix} now={now} base={base} messages={messages} />}
      {isWaiting && !isOther && address && (
        <AddressCode view={view} address={address} now={now} base={base} messages={messages} />
      )}
      {view.receipt && <Receipt view={view} receipt={view.receipt} messages={messages} />}
      {view.receiptEmail !== null && <ReceiptMail {...common} />}
      {view.returnUrl !== null && (
        <a class="button" data-test="return" href={view.returnUrl} target="_top" rel="noreferrer">
          {messages.back}
        </a>
      )}
      {isOpen && (
        <p class="small">
          {messages.linkExpires.split('{time}')[0]}
          <Time at={view.linkExpiresAt} messages={messages} />
        </p>
      )}
    </section>
  )
}

function retryLabel({ challengeUrl, chosen }: PageView, status: PageStatus, { pix, card, retry }: Messages): string {
  if (challengeUrl !== null) return card.other
  return status === 'expired' && chosen === 'pix' ? pix.renew : retry
}

/** Where it stands by now: a code that ran out is over before the server has said so. */
function statusAt({ status, pix, address }: PageView, now: number): PageStatus {
  const until = pix ?? address
  return status === 'waiting' && until && Date.parse(until.expiresAt) <= now ? 'expired' : status
}

/** While an attempt may have paid already, only the same way can be tried again. */
function methodsNow({ methods, isLocked, chosen }: PageView): readonly Method[] {
  return isLocked ? methods.filter((name) => name === chosen) : methods
}
