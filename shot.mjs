import { chromium } from '@playwright/test'
const base=process.argv[2], out=process.argv[3], link=process.argv[4]
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync']})
let state
const want=process.env.ONLY?.split(',')
for (const [name,vp,loc,dark] of [['d-en',{width:1280,height:800},'en',false],['m-en',{width:390,height:844},'en',false],['d-hant',{width:1280,height:800},'zh-HK',true],['m-hans',{width:390,height:844},'zh-CN',true]]) {
  if (want && !want.includes(name)) continue
  const c=await b.newContext({viewport:vp,locale:loc,colorScheme:dark?'dark':'light',storageState:state, hasTouch:vp.width<500,isMobile:vp.width<500})
  const p=await c.newPage()
  p.on('console',m=>{ if(['error','warning'].includes(m.type())) console.log(name,'console',m.type(),m.text().slice(0,300))})
  p.on('pageerror',e=>console.log(name,'pageerror',e.message.slice(0,300)))
  p.on('requestfailed',r=>console.log(name,'failed',r.url(),r.failure()?.errorText))
  if (link && !state) { await p.goto(link); await p.waitForSelector('text=/open to you|已為你|已为你/'); state=await c.storageState() }
  await p.goto(base+'#/'); await p.waitForTimeout(1500); await p.screenshot({path:`${out}/${name}-home.png`,fullPage:true})
  const t=Date.now()
  await p.goto(base+'#/pages/race/WinLossRecord'); await p.waitForSelector('[data-testid=record-tiles]',{timeout:60000}); console.log(name,'tiles after',Date.now()-t)
  await p.waitForTimeout(4000); await p.screenshot({path:`${out}/${name}-record.png`,fullPage:true})
  const w=await p.evaluate(()=>document.documentElement.scrollWidth); console.log(name,'scrollWidth',w)
  await c.close()
}
await b.close()
