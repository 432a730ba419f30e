import { Legal } from './legal.tsx'

export const PrivacyScreen = () => <Legal name="privacy" title="legal.privacy" />
