import { CopyBox } from './copy-box.js'
import type { Messages } from './messages/messages.js'
import { QrCode } from './qr-code.js'
import { amountOf } from './text.js'
import { Countdown, Time } from './time.js'
import type { PageView } from './view.js'

interface PixCodeProps {
  view: PageView
  pix: NonNullable<PageView['pix']>
  now: number
  base: string
  messages: Messages
}

/** The code that waits for its payer: to scan, and to copy. */
export function PixCode({ view, pix, now, base, messages }: PixCodeProps) {
  return (
    <div class="pix">
      {view.charge && (
        <p class="price">
          {messages.wallet.toPay}
          <b data-test="pix-amount">{amountOf(view.charge, messages)}</b>
        </p>
      )}
      <p class="intro">{messages.pix.scan}</p>
      {/* Named by its version, so that a new code is not shown as the old picture. */}
      <QrCode name="pix-qr" src={`${base}/qr.svg?of=${encodeURIComponent(view.version)}`} alt={messages.pix.qr} />
      <CopyBox
        name="pix-code"
        copyName="pix-copy"
        label={messages.pix.copyLabel}
        copyLabel={messages.pix.copy}
        rows={5}
        isCode
        value={pix.code}
        messages={messages}
      />
      <Countdown until={pix.expiresAt} now={now} messages={messages} />
      <p class="small">
        {messages.validUntil.split('{time}')[0]}
        <Time at={pix.expiresAt} messages={messages} />
      </p>
    </div>
  )
}
