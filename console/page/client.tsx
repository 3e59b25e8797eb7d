import { isSandbox, styleNonce } from './nonce.js'
import './styles.js'
import { createTheme, MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { LanguageProvider } from './messages/use-text.js'

const theme = createTheme({
  primaryColor: 'indigo',
  // Text in these colours keeps 4.5:1 to what is behind it, in both schemes.
  primaryShade: { light: 7, dark: 8 },
  cursorType: 'pointer',
})

const root = document.getElementById('root')
if (!root) throw new Error('the document has no place for the console')
createRoot(root).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
    <LanguageProvider>
      <App isSandbox={isSandbox} />
    </LanguageProvider>
  </MantineProvider>,
)
