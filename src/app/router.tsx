import { createHashRouter } from 'react-router-dom'
import { HomeScreen } from '../screens/home/home-screen.tsx'
import { NotFoundScreen } from '../screens/not-found/not-found-screen.tsx'
import { recoverFromMissingChunk } from './chunk-recovery.ts'
import { Frame } from './frame.tsx'
import { RouteError } from './route-error.tsx'

/** Routes by the specification's paths; home is in the first chunk, every other screen comes when it is opened. */
export const router = createHashRouter([
  {
    element: <Frame />,
    errorElement: <RouteError />,
    children: [
      {
        errorElement: <RouteError />,
        children: [
          { path: '/', element: <HomeScreen /> },
          { path: '/pages/index/index', element: <HomeScreen /> },
          {
            path: '/pages/race/WinLossRecord',
            lazy: async () => {
              const { WinLossRecordScreen } =
                await import('../screens/win-loss-record/win-loss-record-screen.tsx')
              return { Component: WinLossRecordScreen }
            },
          },
          {
            path: '/pages/login/loginResult',
            lazy: async () => {
              const { LoginResultScreen } = await import('../screens/login-result/login-result-screen.tsx')
              return { Component: LoginResultScreen }
            },
          },
          { path: '*', element: <NotFoundScreen /> },
        ],
      },
    ],
  },
])

recoverFromMissingChunk(() => router.state.navigation.location)
