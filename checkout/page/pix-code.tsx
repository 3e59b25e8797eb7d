import { useRef, useState } from 'preact/hooks'
import type { Messages } from './messages/messages.js'
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
  const code = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    code.current?.select()
    try {
      await navigator.clipboard.writeText(pix.code)
    } catch {
      // Plain http has no clipboard: what is selected can be copied by hand.
      document.execCommand('copy')
    }
    setCopied(true)
  }
  return (
    <div class="pix">
      <p class="intro">{messages.pix.scan}</p>
      {/* Named by its version, so that a new code is not shown as the old picture. */}
      <img
        class="qr"
        data-test="pix-qr"
        src={`${base}/qr.svg?of=${encodeURIComponent(view.version)}`}
        alt={messages.pix.qr}
        width="264"
        height="264"
      />
      <label for="pix-code">{messages.pix.copyLabel}</label>
      <textarea
        ref={code}
        id="pix-code"
        data-test="pix-code"
        rows={5}
        readOnly
        spellcheck={false}
        value={pix.code}
        onFocus={(event) => {
          event.currentTarget.select()
        }}
      />
      <button
        class="primary scripted"
        type="button"
        data-test="pix-copy"
        onClick={() => {
          void copy()
        }}
      >
        {isCopied ? `✓ ${messages.pix.copied}` : messages.pix.copy}
      </button>
      <span class="unseen" role="status">
        {isCopied ? messages.pix.copied : ''}
      </span>
      <Countdown until={pix.expiresAt} now={now} messages={messages} />
      <p class="small">
        {messages.validUntil.split('{time}')[0]}
        <Time at={pix.expiresAt} messages={messages} />
      </p>
    </div>
  )
}
