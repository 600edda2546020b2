// DemoBank
