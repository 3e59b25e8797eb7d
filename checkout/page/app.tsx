import { useEffect, useMemo, useState } from 'preact/hooks'
import { actionsAt } from './actions.js'
import { follow } from './live.js'
import { tellFrame } from './embed.js'
import type { Messages } from './messages/messages.js'
import { Panel } from './panel.js'
import { Summary } from './summary.js'
import { titleOf } from './status.js'
import { LANGUAGES, type Boot, type Language, type PageView } from './view.js'

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { pt: 'Português', en: 'English', es: 'Español' }

/** The states after which the payer has nothing to do. */
const ENDED: readonly string[] = ['paid', 'canceled']
/** So long after its end a payment is followed: an earlier code may be paid then too, and its money goes back. */
const AFTERWARDS_MS = 3_600_000

/** What the page starts from, with its texts. */
type Booted = Boot & { messages: Messages }

/** The payment page: what is paid on one side, how on the other. Drawn by the server first, then alive in the browser. */
export function App({ view: first, language: firstLanguage, base, messages: firstMessages, ...shop }: Booted) {
  const { paymentId, embedOrigins, logo } = shop
  const [view, setView] = useState(first)
  const [{ language, messages }, setWords] = useState({ language: firstLanguage, messages: firstMessages })
  const [isLost, setLost] = useState(false)
  const act = useMemo(() => actionsAt(base), [base])
  const show = (next: PageView): void => {
    setView((shown) => (next.version >= shown.version ? next : shown))
  }
  const isOver = ENDED.includes(view.status)
  useEffect(() => {
    const end = follow(base, { onView: show, onLost: setLost })
    const timer = isOver ? setTimeout(end, AFTERWARDS_MS) : undefined
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [base, isOver])
  useEffect(() => {
    tellFrame(embedOrigins, { type: 'payment_status', payment_id: paymentId, status: view.status })
  }, [view.status])
  const title = titleOf(view, messages)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <>
      <header class="top">
        <Merchant name={view.merchant} logo={logo} />
        {view.isSandbox && <span class="badge">{messages.sandbox}</span>}
        <LanguageSwitch language={language} base={base} messages={messages} onWords={setWords} />
      </header>
      <main>
        <Summary view={view} base={base} messages={messages} />
        <Panel view={view} onView={show} act={act} base={base} messages={messages} />
        {isLost && !isOver && (
          <p class="lost" role="status">
            {messages.stale}
          </p>
        )}
      </main>
    </>
  )
}

function Merchant({ name, logo }: { name: string | null; logo: string | null }) {
  if (name === null) return <span />
  return (
    <span class="merchant">
      {logo === null ? (
        <span class="logo" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
      ) : (
        <img class="logo" data-test="logo" src={logo} alt="" width="36" height="36" />
      )}
      <span>{name}</span>
    </span>
  )
}

interface LanguageProps {
  language: Language
  base: string
  messages: Messages
  onWords: (words: Pick<Booted, 'language' | 'messages'>) => void
}

/** A form of its own, so that it works without a script too. With one, nothing that was chosen or typed is lost. */
function LanguageSwitch({ language, base, messages, onWords }: LanguageProps) {
  const change = async ({ form, value }: HTMLSelectElement): Promise<void> => {
    try {
      const address = `${base}?lang=${value}`
      const page = await (await fetch(address)).text()
      onWords(JSON.parse(/id="boot">(.*?)<\/script>/s.exec(page)?.[1] ?? '') as Booted)
      history.replaceState(null, '', address)
      document.documentElement.lang = value
    } catch {
      form?.submit()
    }
  }
  return (
    <form method="get" class="language">
      <label class="unseen" for="language">
        {messages.language}
      </label>
      <select
        id="language"
        name="lang"
        data-test="language"
        onChange={(event) => {
          void change(event.currentTarget)
        }}
      >
        {LANGUAGES.map((code) => (
          <option key={code} value={code} lang={code} selected={code === language}>
            {LANGUAGE_NAMES[code]}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit">{messages.change}</button>
      </noscript>
    </form>
  )
}
