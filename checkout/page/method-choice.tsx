import type { Messages } from './messages/messages.js'
import type { Method } from './view.js'

interface MethodChoiceProps {
  methods: readonly Method[]
  method: Method
  onMethod: (method: Method) => void
  messages: Messages
}

/** The ways to pay, of which one is chosen already. */
export function MethodChoice({ methods, method, onMethod, messages }: MethodChoiceProps) {
  return (
    <>
      <fieldset class="methods">
        <legend>{messages.chooseMethod}</legend>
        {methods.map((name) => (
          <button
            key={name}
            type="button"
            class="method"
            data-test={`method-${name}`}
            aria-pressed={name === method}
            onClick={() => {
              onMethod(name)
            }}
          >
            {messages.methods[name]}
          </button>
        ))}
      </fieldset>
      <noscript>
        <p class="alert">{messages.noScript}</p>
      </noscript>
    </>
  )
}
