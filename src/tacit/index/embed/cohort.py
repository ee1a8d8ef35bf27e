"""Prompts of developers about anything: a note's mean likeness to them says how much of a hub it is."""

COHORT_LATIN = """
How do I write a unit test for this function?
Fix the failing build on main
What does this error message mean?
Refactor this class into smaller functions
Add logging to the request handler
Which version of Python are we on?
Write a commit message for these changes
Explain how this algorithm works
Rename the variable everywhere
Why is the page loading so slowly?
Add a new endpoint to the API
How do we deploy to production?
Update the README with install steps
What is the name of the team that owns this?
Bump the dependencies to the latest versions
Set up continuous integration
Where is the configuration file?
Write a regular expression for email addresses
Convert this script to TypeScript
How do I run the application locally?
Draw a diagram of the data model
Which port does the server listen on?
Add pagination to the list view
Remove the unused imports
What is the difference between a list and a tuple?
Write documentation for this module
How do we store passwords?
Make the button blue and center it
Is there a backup of the database?
Translate this text into French
What is the weather like today?
Plan the work for the next sprint
Review my pull request
Handle the case where the input is empty
How much does the hosting cost?
Add caching to speed up queries
Who wrote this code?
Create a new branch and push it
How should errors be reported to the user?
Generate sample data for the demo
Which browser versions do we support?
Optimise this SQL query
Sort the results by date
Merge the two configuration files
Schedule a job to run every night
Delete the old migration files
What time zone are the dates in?
Send an email when the task is done
How do I roll back a release?
Write a short poem about the sea
Validate the form before it is submitted
Mock the network calls in the tests
Upload a file to object storage
Show me all open tasks
Draft a message to the customer
Compare these two libraries
Why did we choose this framework?
Parse the command line arguments
Reduce the memory usage of the worker
Add dark mode to the settings page
""".strip().split("\n")

COHORT_CJK = """
这个函数的单元测试怎么写？
修一下主干上失败的构建
这个报错是什么意思？
把这个类拆成几个小函数
给请求处理加上日志
我们用的是哪个版本的 Python？
帮我写提交信息
解释一下这个算法
把这个变量全部改名
页面为什么加载这么慢？
给接口加一个新的路由
怎么部署到生产环境？
更新一下安装说明
这个模块归哪个团队负责？
把依赖升级到最新版本
配置一下持续集成
配置文件在哪里？
写一个匹配邮箱的正则
把这个脚本改成 TypeScript
本地怎么启动这个应用？
画一张数据模型的图
服务监听哪个端口？
列表页加上分页
删掉没用的导入
列表和元组有什么区别？
给这个模块写文档
密码是怎么存的？
把按钮改成蓝色并居中
数据库有备份吗？
把这段话翻译成法语
今天天气怎么样？
安排下个迭代的工作
帮我看一下这个合并请求
处理输入为空的情况
服务器一个月多少钱？
加缓存让查询快一点
这段代码是谁写的？
新建一个分支并推送
错误应该怎么提示用户？
生成一些演示用的数据
支持哪些浏览器版本？
优化这条 SQL
结果按日期排序
合并这两个配置文件
每天晚上定时跑一个任务
删除旧的迁移文件
日期用的是哪个时区？
任务完成后发一封邮件
怎么回滚一个版本？
写一首关于大海的短诗
提交前校验表单
测试里把网络请求模拟掉
上传文件到对象存储
列出所有未完成的任务
给客户写一段回复
比较这两个库
当初为什么选这个框架？
解析命令行参数
降低这个进程的内存占用
设置页加上深色模式
""".strip().split("\n")
